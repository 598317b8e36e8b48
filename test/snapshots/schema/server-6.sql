CREATE TABLE "site" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "Name" TEXT COLLATE "C",
  "Comment" TEXT COLLATE "C",
  "Category" TEXT COLLATE "C",
  "FeatureCopyLink" SMALLINT,
  "FeatureRollup" SMALLINT,
  "FeatureApi" SMALLINT,
  "FeatureProject" SMALLINT,
  "FeatureUpload" SMALLINT,
  "Logo" TEXT COLLATE "C",
  "ReportLogo" TEXT COLLATE "C",
  "FeatureOutlook" SMALLINT,
  "FeaturePerformance" SMALLINT,
  "FeatureFacebookLogin" SMALLINT,
  "FeatureTwitterLogin" SMALLINT,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Others" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "site_in_order" ON "site" ("SiteID", "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "site_by_Name" ON "site" ("SiteID", "Name$");

CREATE TABLE "siteSetting" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "Threshold1" BIGINT,
  "Threshold2" BIGINT,
  "Threshold3" BIGINT,
  "ShowMetrics" SMALLINT,
  "ShowDialogs" SMALLINT,
  "ShowFollowUps" SMALLINT,
  "ShowProjectLoad" SMALLINT,
  "ShowEvaluationCriteria" SMALLINT,
  "ShowLeaderAssessment" SMALLINT,
  "ShowTeamAssessment" SMALLINT,
  "ShowGoals" SMALLINT,
  "ShowOrgCommitments" SMALLINT,
  "ShowDeptCommitments" SMALLINT,
  "ShowIndCommitments" SMALLINT,
  "Show8020Metrics" SMALLINT,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY ("SiteID", "ID")
);

CREATE TABLE "organization" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "ParentID" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "EmotionalGoal" TEXT COLLATE "C",
  "Focus" TEXT COLLATE "C",
  "Picture" TEXT COLLATE "C",
  "RowType" BIGINT,
  "RankOrder" TEXT COLLATE "C",
  "DisplayRank" TEXT COLLATE "C",
  "Level" BIGINT,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "LastComment" TEXT COLLATE "C",
  "LastCommentDate" TEXT COLLATE "C",
  "LastCommentByID" TEXT COLLATE "C",
  "TreeKey" TEXT COLLATE "C",
  "Others" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "organization_by_ParentID" ON "organization" ("SiteID", "ParentID", "TreeKey" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "organization_in_order" ON "organization" ("SiteID", "TreeKey" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "organization_by_Name" ON "organization" ("SiteID", "Name$");

CREATE TABLE "individual" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "IsAdmin" SMALLINT,
  "UserID" TEXT COLLATE "C",
  "Prefix" TEXT COLLATE "C",
  "Suffix" TEXT COLLATE "C",
  "FirstName" TEXT COLLATE "C",
  "LastName" TEXT COLLATE "C",
  "UserDefined1" TEXT COLLATE "C",
  "UserDefined2" TEXT COLLATE "C",
  "UserDefined3" TEXT COLLATE "C",
  "UserDefined4" TEXT COLLATE "C",
  "Email" TEXT COLLATE "C",
  "PrimaryOrganizationID" TEXT COLLATE "C",
  "PrimaryTitle" TEXT COLLATE "C",
  "PrimaryReportsTo" TEXT COLLATE "C",
  "UserName" TEXT COLLATE "C",
  "FullName" TEXT COLLATE "C",
  "FormalName" TEXT COLLATE "C",
  "FullOrderedName" TEXT COLLATE "C",
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "IsGlobalAdmin" SMALLINT,
  "LastComment" TEXT COLLATE "C",
  "LastCommentDate" TEXT COLLATE "C",
  "LastCommentByID" TEXT COLLATE "C",
  "HireDate" TEXT COLLATE "C",
  "Email$" TEXT COLLATE "C",
  "FullName$" TEXT COLLATE "C",
  "FullOrderedName$" TEXT COLLATE "C",
  "HireDate$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "PrimaryOrganizationID") REFERENCES "organization" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "PrimaryReportsTo") REFERENCES "individual" ("SiteID", "ID")
);

CREATE TABLE "individual_UserName" (
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Held" TEXT COLLATE "C" NOT NULL,
  "ID" TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY ("Held")
);

CREATE INDEX "individual_in_order" ON "individual" ("SiteID", "FullOrderedName$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "individual_by_Email" ON "individual" ("SiteID", "Email$");

CREATE INDEX "individual_by_FullName" ON "individual" ("SiteID", "FullName$");

CREATE INDEX "individual_by_UserID" ON "individual" ("SiteID", "UserID");

CREATE INDEX "individual_by_PrimaryReportsTo" ON "individual" ("SiteID", "PrimaryReportsTo");

CREATE INDEX "individual_by_IsAdmin" ON "individual" ("SiteID", "IsAdmin") WHERE "IsAdmin" = 1;

CREATE TABLE "organizationMember" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "IndividualID" TEXT COLLATE "C",
  "OrganizationID" TEXT COLLATE "C",
  "ReportsToID" TEXT COLLATE "C",
  "Title" TEXT COLLATE "C",
  "Primary" SMALLINT,
  "Leader" SMALLINT,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "IndividualID") REFERENCES "individual" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "OrganizationID") REFERENCES "organization" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "ReportsToID") REFERENCES "individual" ("SiteID", "ID")
);

CREATE UNIQUE INDEX "organizationMember_identity" ON "organizationMember" ("IndividualID", "OrganizationID", "SiteID");

CREATE INDEX "organizationMember_by_IndividualID" ON "organizationMember" ("SiteID", "IndividualID", "ID" NULLS FIRST);

CREATE INDEX "organizationMember_by_OrganizationID" ON "organizationMember" ("SiteID", "OrganizationID", "ID" NULLS FIRST);

CREATE INDEX "organizationMember_by_ReportsToID" ON "organizationMember" ("SiteID", "ReportsToID");

CREATE TABLE "accountability" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "AncestorID" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "individual" ("SiteID", "ID")
);

CREATE INDEX "accountability_by_AncestorID" ON "accountability" ("SiteID", "AncestorID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "accountability_by_Name" ON "accountability" ("SiteID", "Name$");

CREATE TABLE "supervisoryScope" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "AncestorID" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "individual" ("SiteID", "ID")
);

CREATE INDEX "supervisoryScope_by_AncestorID" ON "supervisoryScope" ("SiteID", "AncestorID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "supervisoryScope_by_Name" ON "supervisoryScope" ("SiteID", "Name$");

CREATE TABLE "basicRole" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "IndividualID" TEXT COLLATE "C",
  "Name" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Description" TEXT COLLATE "C",
  "PercentTime" BIGINT,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "IndividualID") REFERENCES "individual" ("SiteID", "ID")
);

CREATE INDEX "basicRole_by_IndividualID" ON "basicRole" ("SiteID", "IndividualID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "basicRole_by_Name" ON "basicRole" ("SiteID", "Name$");

CREATE TABLE "indicator" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "BasicRoleID" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "BasicRoleID") REFERENCES "basicRole" ("SiteID", "ID")
);

CREATE INDEX "indicator_by_BasicRoleID" ON "indicator" ("SiteID", "BasicRoleID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "indicator_by_Name" ON "indicator" ("SiteID", "Name$");

CREATE TABLE "dialog" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "AncestorID" TEXT COLLATE "C",
  "DialogDate" TEXT COLLATE "C",
  "Name" TEXT COLLATE "C",
  "Location" TEXT COLLATE "C",
  "Agenda" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "AncestorType" BIGINT,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "LastCommentDate" TEXT COLLATE "C",
  "LastCommentByID" TEXT COLLATE "C",
  "LastComment" TEXT COLLATE "C",
  "Others" TEXT COLLATE "C",
  "DialogDate$" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "dialog_by_AncestorID" ON "dialog" ("SiteID", "AncestorID", "DialogDate$" DESC NULLS LAST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "dialog_in_order" ON "dialog" ("SiteID", "DialogDate$" DESC NULLS LAST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "dialog_by_Name" ON "dialog" ("SiteID", "Name$");

CREATE INDEX "dialog_in_roll_up" ON "dialog" ("SiteID", "AncestorID", "DialogDate$", "Deleted", "DeletedByRef", "ID");

CREATE TABLE "basicRoleDialog" (
  "BasicRoleID" TEXT COLLATE "C",
  "DialogID" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "ID" TEXT COLLATE "C" NOT NULL,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "BasicRoleID") REFERENCES "basicRole" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "DialogID") REFERENCES "dialog" ("SiteID", "ID")
);

CREATE INDEX "basicRoleDialog_by_BasicRoleID" ON "basicRoleDialog" ("SiteID", "BasicRoleID", "ID" NULLS FIRST);

CREATE INDEX "basicRoleDialog_by_DialogID" ON "basicRoleDialog" ("SiteID", "DialogID", "ID" NULLS FIRST);

CREATE TABLE "comment" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "AncestorID" TEXT COLLATE "C",
  "Body" TEXT COLLATE "C",
  "AncestorType" BIGINT,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Created$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "comment_by_AncestorID" ON "comment" ("SiteID", "AncestorID", "Created$" DESC NULLS LAST, "ID" NULLS FIRST);

CREATE TABLE "period" (
  "ID" BIGINT NOT NULL,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "StartDate" TEXT COLLATE "C",
  "EndDate" TEXT COLLATE "C",
  "DateSpan" TEXT COLLATE "C",
  "StartDate$" TEXT COLLATE "C",
  "EndDate$" TEXT COLLATE "C",
  "DateSpan$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "period_in_order" ON "period" ("SiteID", "StartDate$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "period_by_DateSpan" ON "period" ("SiteID", "DateSpan$");

CREATE TABLE "commitment" (
  "ID" BIGINT NOT NULL,
  "AncestorID" TEXT COLLATE "C",
  "Name" TEXT COLLATE "C",
  "Completed" SMALLINT,
  "DueDate" TEXT COLLATE "C",
  "PeriodID" BIGINT,
  "Measure1" TEXT COLLATE "C",
  "Measure1Completed" SMALLINT,
  "Measure2" TEXT COLLATE "C",
  "Measure2Completed" SMALLINT,
  "Measure3" TEXT COLLATE "C",
  "Measure3Completed" SMALLINT,
  "Measure4" TEXT COLLATE "C",
  "Measure4Completed" SMALLINT,
  "Measure5" TEXT COLLATE "C",
  "Measure5Completed" SMALLINT,
  "MeasuresCompleted" BIGINT,
  "MeasuresTotal" BIGINT,
  "AncestorType" BIGINT,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Name$" TEXT COLLATE "C",
  "DueDate$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "PeriodID") REFERENCES "period" ("SiteID", "ID")
);

CREATE INDEX "commitment_by_AncestorID" ON "commitment" ("SiteID", "AncestorID", "DueDate$" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "commitment_by_Name" ON "commitment" ("SiteID", "Name$");

CREATE INDEX "commitment_by_PeriodID" ON "commitment" ("SiteID", "PeriodID");

CREATE INDEX "commitment_in_roll_up" ON "commitment" ("SiteID", "AncestorID", "PeriodID", "DeletedByRef", "Completed");

CREATE TABLE "coreValue" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "coreValue_in_order" ON "coreValue" ("SiteID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "coreValue_by_Name" ON "coreValue" ("SiteID", "Name$");

CREATE TABLE "color" (
  "ID" BIGINT NOT NULL,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "Code" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "color_in_order" ON "color" ("SiteID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "color_by_Name" ON "color" ("SiteID", "Name$");

CREATE TABLE "phase" (
  "ID" BIGINT NOT NULL,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Name" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "phase_in_order" ON "phase" ("SiteID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "phase_by_Name" ON "phase" ("SiteID", "Name$");

CREATE TABLE "status" (
  "ID" BIGINT NOT NULL,
  "Name" TEXT COLLATE "C",
  "Rank" BIGINT,
  "ShowForInd" SMALLINT,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "status_in_order" ON "status" ("SiteID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "status_by_Name" ON "status" ("SiteID", "Name$");

CREATE TABLE "project" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "ParentID" TEXT COLLATE "C",
  "AncestorID" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Color" TEXT COLLATE "C",
  "HoursActual" DOUBLE PRECISION,
  "HoursProjected" DOUBLE PRECISION,
  "StartDateActual" TEXT COLLATE "C",
  "StartDateProjected" TEXT COLLATE "C",
  "EndDateActual" TEXT COLLATE "C",
  "EndDateProjected" TEXT COLLATE "C",
  "TrackingLabel" TEXT COLLATE "C",
  "NearHighlightOverride" BIGINT,
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "StatusID" BIGINT,
  "PhaseID" BIGINT,
  "RankOrder" TEXT COLLATE "C",
  "DisplayRank" TEXT COLLATE "C",
  "Level" BIGINT,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "TreeKey" TEXT COLLATE "C",
  "Others" TEXT COLLATE "C",
  "StartDateActual$" TEXT COLLATE "C",
  "StartDateProjected$" TEXT COLLATE "C",
  "EndDateActual$" TEXT COLLATE "C",
  "EndDateProjected$" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "ParentID") REFERENCES "project" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "organization" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "StatusID") REFERENCES "status" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "PhaseID") REFERENCES "phase" ("SiteID", "ID")
);

CREATE INDEX "project_by_ParentID" ON "project" ("SiteID", "ParentID", "TreeKey" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "project_by_AncestorID" ON "project" ("SiteID", "AncestorID", "TreeKey" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "project_in_order" ON "project" ("SiteID", "TreeKey" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "project_by_Name" ON "project" ("SiteID", "Name$");

CREATE INDEX "project_by_begin" ON "project" ("SiteID", coalesce("StartDateActual$", "StartDateProjected$"));

CREATE TABLE "projectScope" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "AncestorID" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "project" ("SiteID", "ID")
);

CREATE INDEX "projectScope_by_AncestorID" ON "projectScope" ("SiteID", "AncestorID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "projectScope_by_Name" ON "projectScope" ("SiteID", "Name$");

CREATE TABLE "evaluationCriteria" (
  "Completed" SMALLINT,
  "ID" TEXT COLLATE "C" NOT NULL,
  "AncestorID" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "project" ("SiteID", "ID")
);

CREATE INDEX "evaluationCriteria_by_AncestorID" ON "evaluationCriteria" ("SiteID", "AncestorID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "evaluationCriteria_by_Name" ON "evaluationCriteria" ("SiteID", "Name$");

CREATE TABLE "teamMember" (
  "TaskID" TEXT COLLATE "C",
  "IndividualID" TEXT COLLATE "C",
  "RoleID" TEXT COLLATE "C",
  "HoursProjected" DOUBLE PRECISION,
  "HoursActual" DOUBLE PRECISION,
  "ID" TEXT COLLATE "C" NOT NULL,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "RoleDescription" TEXT COLLATE "C",
  "TeamSurvey" SMALLINT,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "TaskID") REFERENCES "project" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "IndividualID") REFERENCES "individual" ("SiteID", "ID")
);

CREATE UNIQUE INDEX "teamMember_identity" ON "teamMember" ("TaskID", "IndividualID", "SiteID");

CREATE INDEX "teamMember_by_TaskID" ON "teamMember" ("SiteID", "TaskID", "ID" NULLS FIRST);

CREATE INDEX "teamMember_by_IndividualID" ON "teamMember" ("SiteID", "IndividualID", "ID" NULLS FIRST);

CREATE TABLE "metric" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "ParentID" TEXT COLLATE "C",
  "AncestorID" TEXT COLLATE "C",
  "Rank" BIGINT,
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "Format" TEXT COLLATE "C",
  "Color" TEXT COLLATE "C",
  "TColor1" TEXT COLLATE "C",
  "TColor2" TEXT COLLATE "C",
  "TColor3" TEXT COLLATE "C",
  "TColor4" TEXT COLLATE "C",
  "Threshold1" DOUBLE PRECISION,
  "Threshold2" DOUBLE PRECISION,
  "Threshold3" DOUBLE PRECISION,
  "ColorByValue" SMALLINT,
  "Is8020" SMALLINT,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "AncestorType" BIGINT,
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Level" BIGINT,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "TreeKey" TEXT COLLATE "C",
  "Others" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "ParentID") REFERENCES "metric" ("SiteID", "ID")
);

CREATE INDEX "metric_by_ParentID" ON "metric" ("SiteID", "ParentID", "TreeKey" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "metric_by_AncestorID" ON "metric" ("SiteID", "AncestorID", "TreeKey" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "metric_by_Name" ON "metric" ("SiteID", "Name$");

CREATE TABLE "metricValue" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "MetricID" TEXT COLLATE "C",
  "Date" TEXT COLLATE "C",
  "Value" DOUBLE PRECISION,
  "ArchiveID" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Date$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "MetricID") REFERENCES "metric" ("SiteID", "ID")
);

CREATE INDEX "metricValue_by_MetricID" ON "metricValue" ("SiteID", "MetricID", "Date$" DESC NULLS LAST, "ID" NULLS FIRST);

CREATE TABLE "task" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "AncestorID" TEXT COLLATE "C",
  "ParentID" TEXT COLLATE "C",
  "Name" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "Priority" BIGINT,
  "Rank" BIGINT,
  "Color" TEXT COLLATE "C",
  "HoursActual" DOUBLE PRECISION,
  "HoursProjected" DOUBLE PRECISION,
  "StartDateActual" TEXT COLLATE "C",
  "StartDateProjected" TEXT COLLATE "C",
  "EndDateActual" TEXT COLLATE "C",
  "EndDateProjected" TEXT COLLATE "C",
  "Milestone" SMALLINT,
  "TrackingLabel" TEXT COLLATE "C",
  "NearHighlightOverride" BIGINT,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Responsible" TEXT COLLATE "C",
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Others" TEXT COLLATE "C",
  "Name$" TEXT COLLATE "C",
  "StartDateActual$" TEXT COLLATE "C",
  "StartDateProjected$" TEXT COLLATE "C",
  "EndDateActual$" TEXT COLLATE "C",
  "EndDateProjected$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "ParentID") REFERENCES "project" ("SiteID", "ID")
);

CREATE TABLE "task_Responsible" (
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Held" TEXT COLLATE "C" NOT NULL,
  "ID" TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY ("SiteID", "Held", "ID")
);

CREATE INDEX "task_by_AncestorID" ON "task" ("SiteID", "AncestorID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "task_by_ParentID" ON "task" ("SiteID", "ParentID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "task_in_order" ON "task" ("SiteID", "Rank" NULLS FIRST, "Name$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "task_by_Name" ON "task" ("SiteID", "Name$");

CREATE INDEX "task_in_roll_up" ON "task" ("SiteID", "AncestorID", "Created", "EndDateActual$", "EndDateActual", "Deleted", "DeletedByRef");

CREATE TABLE "archive" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "AncestorType" BIGINT,
  "AncestorID" TEXT COLLATE "C",
  "Name" TEXT COLLATE "C",
  "AncestorName" TEXT COLLATE "C",
  "RowType" BIGINT,
  "ArchiveDate" TEXT COLLATE "C",
  "ArchivedBy" TEXT COLLATE "C",
  "ArchiveName" TEXT COLLATE "C",
  "ArchiveComment" TEXT COLLATE "C",
  "ArchiveID" TEXT COLLATE "C",
  "ItemID" TEXT COLLATE "C",
  "ArchiveDate$" TEXT COLLATE "C",
  "ArchiveName$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "archive_by_ArchiveName" ON "archive" ("SiteID", "ArchiveName$");

CREATE INDEX "archive_by_ItemID" ON "archive" ("SiteID", "ItemID");

CREATE INDEX "archive_by_AncestorID" ON "archive" ("SiteID", "AncestorID");

CREATE TABLE "securityGroup" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "Group" TEXT COLLATE "C",
  "Description" TEXT COLLATE "C",
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "Created" TEXT COLLATE "C",
  "CreatedBy" TEXT COLLATE "C",
  "Updated" TEXT COLLATE "C",
  "UpdatedBy" TEXT COLLATE "C",
  "Deleted" SMALLINT NOT NULL DEFAULT 0,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  "Group$" TEXT COLLATE "C",
  PRIMARY KEY ("SiteID", "ID")
);

CREATE INDEX "securityGroup_in_order" ON "securityGroup" ("SiteID", "Group$" NULLS FIRST, "ID" NULLS FIRST);

CREATE INDEX "securityGroup_by_Group" ON "securityGroup" ("SiteID", "Group$");

CREATE TABLE "permission" (
  "ID" TEXT COLLATE "C" NOT NULL,
  "RowID" TEXT COLLATE "C",
  "PrincipalID" TEXT COLLATE "C",
  "ChildType" BIGINT,
  "CreateState" BIGINT,
  "ReadState" BIGINT,
  "UpdateState" BIGINT,
  "DeleteState" BIGINT,
  "DelegateState" BIGINT,
  "SiteID" TEXT COLLATE "C" NOT NULL,
  "DeletedByRef" SMALLINT NOT NULL DEFAULT 0,
  PRIMARY KEY ("SiteID", "ID")
);

CREATE UNIQUE INDEX "permission_identity" ON "permission" ("RowID", "PrincipalID", coalesce("ChildType", -1), "SiteID");

CREATE INDEX "permission_by_RowID" ON "permission" ("SiteID", "RowID", "ID" NULLS FIRST);

CREATE INDEX "permission_by_PrincipalID" ON "permission" ("SiteID", "PrincipalID", "ID" NULLS FIRST);

CREATE TABLE history (
  Sequence BIGINT NOT NULL,
  SiteID TEXT COLLATE "C" NOT NULL,
  At TEXT COLLATE "C" NOT NULL,
  Caller TEXT COLLATE "C" NOT NULL,
  Resource TEXT COLLATE "C" NOT NULL,
  ID TEXT COLLATE "C" NOT NULL,
  What TEXT COLLATE "C" NOT NULL,
  Before TEXT COLLATE "C",
  PRIMARY KEY (SiteID, Sequence)
);

CREATE INDEX history_by_ID ON history (SiteID, Resource, ID, Sequence);

CREATE INDEX history_in_order ON history (SiteID, Sequence, At);

CREATE TABLE secret (
  SiteID TEXT COLLATE "C" NOT NULL,
  IndividualID TEXT COLLATE "C" NOT NULL,
  Hash TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (SiteID, IndividualID)
);

CREATE TABLE counter (
  SiteID TEXT COLLATE "C" NOT NULL,
  Resource TEXT COLLATE "C" NOT NULL,
  Last BIGINT NOT NULL,
  PRIMARY KEY (SiteID, Resource)
);

CREATE TABLE token (
  SiteID TEXT COLLATE "C" NOT NULL,
  ID TEXT COLLATE "C" NOT NULL,
  Kind TEXT COLLATE "C" NOT NULL,
  IndividualID TEXT COLLATE "C",
  Hash TEXT COLLATE "C" NOT NULL,
  Created TEXT COLLATE "C" NOT NULL,
  LastUsed TEXT COLLATE "C",
  Expires TEXT COLLATE "C",
  PRIMARY KEY (SiteID, ID)
);

CREATE UNIQUE INDEX token_by_Hash ON token (SiteID, Hash);

CREATE INDEX token_by_IndividualID ON token (SiteID, IndividualID);

CREATE TABLE group_member (
  SiteID TEXT COLLATE "C" NOT NULL,
  GroupID TEXT COLLATE "C" NOT NULL,
  IndividualID TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (SiteID, GroupID, IndividualID)
);

CREATE INDEX group_member_by_IndividualID ON group_member (SiteID, IndividualID);

CREATE TABLE job (
  Sequence BIGINT NOT NULL,
  ID TEXT COLLATE "C" NOT NULL UNIQUE,
  Kind TEXT COLLATE "C" NOT NULL,
  State TEXT COLLATE "C" NOT NULL,
  Profile TEXT COLLATE "C" NOT NULL,
  SiteID TEXT COLLATE "C" NOT NULL,
  Caller TEXT COLLATE "C" NOT NULL,
  Title TEXT COLLATE "C" NOT NULL,
  Created TEXT COLLATE "C" NOT NULL,
  Ended TEXT COLLATE "C",
  Total BIGINT NOT NULL,
  Counts TEXT COLLATE "C" NOT NULL,
  Undoes TEXT COLLATE "C",
  Settings TEXT COLLATE "C" NOT NULL,
  LockPid BIGINT,
  LockHost TEXT COLLATE "C",
  Crc BIGINT NOT NULL,
  PRIMARY KEY (SiteID, Sequence)
);

CREATE INDEX job_by_Profile ON job (Profile, Sequence);

CREATE INDEX job_by_Undoes ON job (Undoes, Sequence);

CREATE TABLE job_plan (
  JobID TEXT COLLATE "C" NOT NULL,
  First BIGINT NOT NULL,
  Last BIGINT NOT NULL,
  Rows TEXT COLLATE "C" NOT NULL,
  Crc BIGINT NOT NULL,
  PRIMARY KEY (JobID, First)
);

CREATE TABLE job_state (
  JobID TEXT COLLATE "C" NOT NULL,
  Bucket BIGINT NOT NULL,
  States TEXT COLLATE "C" NOT NULL,
  Marks BIGINT NOT NULL,
  Crc BIGINT NOT NULL,
  PRIMARY KEY (JobID, Bucket)
);

CREATE TABLE job_mark (
  JobID TEXT COLLATE "C" NOT NULL,
  Bucket BIGINT NOT NULL,
  Sequence BIGINT NOT NULL,
  Marks TEXT COLLATE "C" NOT NULL,
  Crc BIGINT NOT NULL,
  PRIMARY KEY (JobID, Bucket, Sequence)
);

CREATE TABLE site_writer (
  SiteID TEXT COLLATE "C" PRIMARY KEY,
  Turn BIGINT NOT NULL
);

CREATE TABLE commit_marker (
  ID TEXT COLLATE "C" PRIMARY KEY,
  Token TEXT NOT NULL,
  At TIMESTAMPTZ NOT NULL
);
