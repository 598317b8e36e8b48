CREATE TABLE "site" (
  "ID" TEXT NOT NULL,
  "Name" TEXT,
  "Comment" TEXT,
  "Category" TEXT,
  "FeatureCopyLink" INTEGER,
  "FeatureRollup" INTEGER,
  "FeatureApi" INTEGER,
  "FeatureProject" INTEGER,
  "FeatureUpload" INTEGER,
  "Logo" TEXT,
  "ReportLogo" TEXT,
  "FeatureOutlook" INTEGER,
  "FeaturePerformance" INTEGER,
  "FeatureFacebookLogin" INTEGER,
  "FeatureTwitterLogin" INTEGER,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "SiteID" TEXT NOT NULL,
  "Others" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "site_in_order" ON "site" ("SiteID", "Name$", "ID");

CREATE TABLE "siteSetting" (
  "ID" TEXT NOT NULL,
  "Threshold1" INTEGER,
  "Threshold2" INTEGER,
  "Threshold3" INTEGER,
  "ShowMetrics" INTEGER,
  "ShowDialogs" INTEGER,
  "ShowFollowUps" INTEGER,
  "ShowProjectLoad" INTEGER,
  "ShowEvaluationCriteria" INTEGER,
  "ShowLeaderAssessment" INTEGER,
  "ShowTeamAssessment" INTEGER,
  "ShowGoals" INTEGER,
  "ShowOrgCommitments" INTEGER,
  "ShowDeptCommitments" INTEGER,
  "ShowIndCommitments" INTEGER,
  "Show8020Metrics" INTEGER,
  "SiteID" TEXT NOT NULL,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE TABLE "organization" (
  "ID" TEXT NOT NULL,
  "SiteID" TEXT NOT NULL,
  "ParentID" TEXT,
  "Rank" INTEGER,
  "Name" TEXT,
  "EmotionalGoal" TEXT,
  "Focus" TEXT,
  "Picture" TEXT,
  "RowType" INTEGER,
  "RankOrder" TEXT,
  "DisplayRank" TEXT,
  "Level" INTEGER,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "LastComment" TEXT,
  "LastCommentDate" TEXT,
  "LastCommentByID" TEXT,
  "TreeKey" TEXT,
  "Others" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "organization_by_ParentID" ON "organization" ("SiteID", "ParentID", "TreeKey", "ID");

CREATE INDEX "organization_in_order" ON "organization" ("SiteID", "TreeKey", "ID");

CREATE INDEX "organization_by_Name" ON "organization" ("SiteID", "Name$");

CREATE TABLE "individual" (
  "ID" TEXT NOT NULL,
  "SiteID" TEXT NOT NULL,
  "IsAdmin" INTEGER,
  "UserID" TEXT,
  "Prefix" TEXT,
  "Suffix" TEXT,
  "FirstName" TEXT,
  "LastName" TEXT,
  "UserDefined1" TEXT,
  "UserDefined2" TEXT,
  "UserDefined3" TEXT,
  "UserDefined4" TEXT,
  "Email" TEXT,
  "PrimaryOrganizationID" TEXT,
  "PrimaryTitle" TEXT,
  "PrimaryReportsTo" TEXT,
  "UserName" TEXT,
  "FullName" TEXT,
  "FormalName" TEXT,
  "FullOrderedName" TEXT,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "Updated" TEXT,
  "CreatedBy" TEXT,
  "UpdatedBy" TEXT,
  "IsGlobalAdmin" INTEGER,
  "LastComment" TEXT,
  "LastCommentDate" TEXT,
  "LastCommentByID" TEXT,
  "HireDate" TEXT,
  "Email$" TEXT,
  "FullName$" TEXT,
  "FullOrderedName$" TEXT,
  "HireDate$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "PrimaryOrganizationID") REFERENCES "organization" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "PrimaryReportsTo") REFERENCES "individual" ("SiteID", "ID")
) STRICT;

CREATE TABLE "individual_UserName" (
  "SiteID" TEXT NOT NULL,
  "Held" TEXT NOT NULL,
  "ID" TEXT NOT NULL,
  PRIMARY KEY ("Held")
) STRICT, WITHOUT ROWID;

CREATE INDEX "individual_in_order" ON "individual" ("SiteID", "FullOrderedName$", "ID");

CREATE INDEX "individual_by_Email" ON "individual" ("SiteID", "Email$");

CREATE INDEX "individual_by_FullName" ON "individual" ("SiteID", "FullName$");

CREATE INDEX "individual_by_UserID" ON "individual" ("SiteID", "UserID");

CREATE INDEX "individual_by_PrimaryReportsTo" ON "individual" ("SiteID", "PrimaryReportsTo");

CREATE INDEX "individual_by_IsAdmin" ON "individual" ("SiteID", "IsAdmin") WHERE "IsAdmin" = 1;

CREATE TABLE "organizationMember" (
  "ID" TEXT NOT NULL,
  "SiteID" TEXT NOT NULL,
  "IndividualID" TEXT,
  "OrganizationID" TEXT,
  "ReportsToID" TEXT,
  "Title" TEXT,
  "Primary" INTEGER,
  "Leader" INTEGER,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "IndividualID") REFERENCES "individual" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "OrganizationID") REFERENCES "organization" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "ReportsToID") REFERENCES "individual" ("SiteID", "ID")
) STRICT;

CREATE UNIQUE INDEX "organizationMember_identity" ON "organizationMember" ("IndividualID", "OrganizationID", "SiteID");

CREATE INDEX "organizationMember_by_IndividualID" ON "organizationMember" ("SiteID", "IndividualID", "ID");

CREATE INDEX "organizationMember_by_OrganizationID" ON "organizationMember" ("SiteID", "OrganizationID", "ID");

CREATE INDEX "organizationMember_by_ReportsToID" ON "organizationMember" ("SiteID", "ReportsToID");

CREATE TABLE "accountability" (
  "ID" TEXT NOT NULL,
  "AncestorID" TEXT,
  "Rank" INTEGER,
  "Name" TEXT,
  "Description" TEXT,
  "SiteID" TEXT NOT NULL,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "individual" ("SiteID", "ID")
) STRICT;

CREATE INDEX "accountability_by_AncestorID" ON "accountability" ("SiteID", "AncestorID", "Rank", "Name$", "ID");

CREATE INDEX "accountability_by_Name" ON "accountability" ("SiteID", "Name$");

CREATE TABLE "supervisoryScope" (
  "ID" TEXT NOT NULL,
  "AncestorID" TEXT,
  "Rank" INTEGER,
  "Name" TEXT,
  "Description" TEXT,
  "SiteID" TEXT NOT NULL,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "individual" ("SiteID", "ID")
) STRICT;

CREATE INDEX "supervisoryScope_by_AncestorID" ON "supervisoryScope" ("SiteID", "AncestorID", "Rank", "Name$", "ID");

CREATE INDEX "supervisoryScope_by_Name" ON "supervisoryScope" ("SiteID", "Name$");

CREATE TABLE "basicRole" (
  "ID" TEXT NOT NULL,
  "IndividualID" TEXT,
  "Name" TEXT,
  "Rank" INTEGER,
  "Description" TEXT,
  "PercentTime" INTEGER,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "SiteID" TEXT NOT NULL,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "IndividualID") REFERENCES "individual" ("SiteID", "ID")
) STRICT;

CREATE INDEX "basicRole_by_IndividualID" ON "basicRole" ("SiteID", "IndividualID", "Rank", "Name$", "ID");

CREATE INDEX "basicRole_by_Name" ON "basicRole" ("SiteID", "Name$");

CREATE TABLE "indicator" (
  "ID" TEXT NOT NULL,
  "BasicRoleID" TEXT,
  "Rank" INTEGER,
  "Name" TEXT,
  "Description" TEXT,
  "SiteID" TEXT NOT NULL,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "BasicRoleID") REFERENCES "basicRole" ("SiteID", "ID")
) STRICT;

CREATE INDEX "indicator_by_BasicRoleID" ON "indicator" ("SiteID", "BasicRoleID", "Rank", "Name$", "ID");

CREATE INDEX "indicator_by_Name" ON "indicator" ("SiteID", "Name$");

CREATE TABLE "dialog" (
  "ID" TEXT NOT NULL,
  "AncestorID" TEXT,
  "DialogDate" TEXT,
  "Name" TEXT,
  "Location" TEXT,
  "Agenda" TEXT,
  "SiteID" TEXT NOT NULL,
  "AncestorType" INTEGER,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "LastCommentDate" TEXT,
  "LastCommentByID" TEXT,
  "LastComment" TEXT,
  "Others" TEXT,
  "DialogDate$" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "dialog_by_AncestorID" ON "dialog" ("SiteID", "AncestorID", "DialogDate$" DESC, "Name$", "ID");

CREATE INDEX "dialog_in_order" ON "dialog" ("SiteID", "DialogDate$" DESC, "Name$", "ID");

CREATE INDEX "dialog_by_Name" ON "dialog" ("SiteID", "Name$");

CREATE INDEX "dialog_in_roll_up" ON "dialog" ("SiteID", "AncestorID", "DialogDate$", "Deleted", "DeletedByRef", "ID");

CREATE TABLE "basicRoleDialog" (
  "BasicRoleID" TEXT,
  "DialogID" TEXT,
  "Description" TEXT,
  "SiteID" TEXT NOT NULL,
  "ID" TEXT NOT NULL,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "BasicRoleID") REFERENCES "basicRole" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "DialogID") REFERENCES "dialog" ("SiteID", "ID")
) STRICT;

CREATE INDEX "basicRoleDialog_by_BasicRoleID" ON "basicRoleDialog" ("SiteID", "BasicRoleID", "ID");

CREATE INDEX "basicRoleDialog_by_DialogID" ON "basicRoleDialog" ("SiteID", "DialogID", "ID");

CREATE TABLE "comment" (
  "ID" TEXT NOT NULL,
  "AncestorID" TEXT,
  "Body" TEXT,
  "AncestorType" INTEGER,
  "SiteID" TEXT NOT NULL,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Created$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "comment_by_AncestorID" ON "comment" ("SiteID", "AncestorID", "Created$" DESC, "ID");

CREATE TABLE "period" (
  "ID" INTEGER NOT NULL,
  "SiteID" TEXT NOT NULL,
  "StartDate" TEXT,
  "EndDate" TEXT,
  "DateSpan" TEXT,
  "StartDate$" TEXT,
  "EndDate$" TEXT,
  "DateSpan$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "period_in_order" ON "period" ("SiteID", "StartDate$", "ID");

CREATE INDEX "period_by_DateSpan" ON "period" ("SiteID", "DateSpan$");

CREATE TABLE "commitment" (
  "ID" INTEGER NOT NULL,
  "AncestorID" TEXT,
  "Name" TEXT,
  "Completed" INTEGER,
  "DueDate" TEXT,
  "PeriodID" INTEGER,
  "Measure1" TEXT,
  "Measure1Completed" INTEGER,
  "Measure2" TEXT,
  "Measure2Completed" INTEGER,
  "Measure3" TEXT,
  "Measure3Completed" INTEGER,
  "Measure4" TEXT,
  "Measure4Completed" INTEGER,
  "Measure5" TEXT,
  "Measure5Completed" INTEGER,
  "MeasuresCompleted" INTEGER,
  "MeasuresTotal" INTEGER,
  "AncestorType" INTEGER,
  "SiteID" TEXT NOT NULL,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Name$" TEXT,
  "DueDate$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "PeriodID") REFERENCES "period" ("SiteID", "ID")
) STRICT;

CREATE INDEX "commitment_by_AncestorID" ON "commitment" ("SiteID", "AncestorID", "DueDate$", "Name$", "ID");

CREATE INDEX "commitment_by_Name" ON "commitment" ("SiteID", "Name$");

CREATE INDEX "commitment_by_PeriodID" ON "commitment" ("SiteID", "PeriodID");

CREATE INDEX "commitment_in_roll_up" ON "commitment" ("SiteID", "AncestorID", "PeriodID", "DeletedByRef", "Completed");

CREATE TABLE "coreValue" (
  "ID" TEXT NOT NULL,
  "SiteID" TEXT NOT NULL,
  "Rank" INTEGER,
  "Name" TEXT,
  "Description" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "coreValue_in_order" ON "coreValue" ("SiteID", "Rank", "Name$", "ID");

CREATE INDEX "coreValue_by_Name" ON "coreValue" ("SiteID", "Name$");

CREATE TABLE "color" (
  "ID" INTEGER NOT NULL,
  "SiteID" TEXT NOT NULL,
  "Rank" INTEGER,
  "Name" TEXT,
  "Code" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "color_in_order" ON "color" ("SiteID", "Rank", "Name$", "ID");

CREATE INDEX "color_by_Name" ON "color" ("SiteID", "Name$");

CREATE TABLE "phase" (
  "ID" INTEGER NOT NULL,
  "SiteID" TEXT NOT NULL,
  "Name" TEXT,
  "Rank" INTEGER,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "phase_in_order" ON "phase" ("SiteID", "Rank", "Name$", "ID");

CREATE INDEX "phase_by_Name" ON "phase" ("SiteID", "Name$");

CREATE TABLE "status" (
  "ID" INTEGER NOT NULL,
  "Name" TEXT,
  "Rank" INTEGER,
  "ShowForInd" INTEGER,
  "SiteID" TEXT NOT NULL,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "status_in_order" ON "status" ("SiteID", "Rank", "Name$", "ID");

CREATE INDEX "status_by_Name" ON "status" ("SiteID", "Name$");

CREATE TABLE "project" (
  "ID" TEXT NOT NULL,
  "ParentID" TEXT,
  "AncestorID" TEXT,
  "Rank" INTEGER,
  "Color" TEXT,
  "HoursActual" REAL,
  "HoursProjected" REAL,
  "StartDateActual" TEXT,
  "StartDateProjected" TEXT,
  "EndDateActual" TEXT,
  "EndDateProjected" TEXT,
  "TrackingLabel" TEXT,
  "NearHighlightOverride" INTEGER,
  "Name" TEXT,
  "Description" TEXT,
  "StatusID" INTEGER,
  "PhaseID" INTEGER,
  "RankOrder" TEXT,
  "DisplayRank" TEXT,
  "Level" INTEGER,
  "SiteID" TEXT NOT NULL,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "TreeKey" TEXT,
  "Others" TEXT,
  "StartDateActual$" TEXT,
  "StartDateProjected$" TEXT,
  "EndDateActual$" TEXT,
  "EndDateProjected$" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "ParentID") REFERENCES "project" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "organization" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "StatusID") REFERENCES "status" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "PhaseID") REFERENCES "phase" ("SiteID", "ID")
) STRICT;

CREATE INDEX "project_by_ParentID" ON "project" ("SiteID", "ParentID", "TreeKey", "ID");

CREATE INDEX "project_by_AncestorID" ON "project" ("SiteID", "AncestorID", "TreeKey", "ID");

CREATE INDEX "project_in_order" ON "project" ("SiteID", "TreeKey", "ID");

CREATE INDEX "project_by_Name" ON "project" ("SiteID", "Name$");

CREATE INDEX "project_by_begin" ON "project" ("SiteID", ifnull("StartDateActual$", "StartDateProjected$"));

CREATE TABLE "projectScope" (
  "ID" TEXT NOT NULL,
  "AncestorID" TEXT,
  "Rank" INTEGER,
  "Name" TEXT,
  "Description" TEXT,
  "SiteID" TEXT NOT NULL,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "project" ("SiteID", "ID")
) STRICT;

CREATE INDEX "projectScope_by_AncestorID" ON "projectScope" ("SiteID", "AncestorID", "Rank", "Name$", "ID");

CREATE INDEX "projectScope_by_Name" ON "projectScope" ("SiteID", "Name$");

CREATE TABLE "evaluationCriteria" (
  "Completed" INTEGER,
  "ID" TEXT NOT NULL,
  "AncestorID" TEXT,
  "Rank" INTEGER,
  "Name" TEXT,
  "Description" TEXT,
  "SiteID" TEXT NOT NULL,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "AncestorID") REFERENCES "project" ("SiteID", "ID")
) STRICT;

CREATE INDEX "evaluationCriteria_by_AncestorID" ON "evaluationCriteria" ("SiteID", "AncestorID", "Rank", "Name$", "ID");

CREATE INDEX "evaluationCriteria_by_Name" ON "evaluationCriteria" ("SiteID", "Name$");

CREATE TABLE "teamMember" (
  "TaskID" TEXT,
  "IndividualID" TEXT,
  "RoleID" TEXT,
  "HoursProjected" REAL,
  "HoursActual" REAL,
  "ID" TEXT NOT NULL,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "SiteID" TEXT NOT NULL,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "RoleDescription" TEXT,
  "TeamSurvey" INTEGER,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "TaskID") REFERENCES "project" ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "IndividualID") REFERENCES "individual" ("SiteID", "ID")
) STRICT;

CREATE UNIQUE INDEX "teamMember_identity" ON "teamMember" ("TaskID", "IndividualID", "SiteID");

CREATE INDEX "teamMember_by_TaskID" ON "teamMember" ("SiteID", "TaskID", "ID");

CREATE INDEX "teamMember_by_IndividualID" ON "teamMember" ("SiteID", "IndividualID", "ID");

CREATE TABLE "metric" (
  "ID" TEXT NOT NULL,
  "ParentID" TEXT,
  "AncestorID" TEXT,
  "Rank" INTEGER,
  "Name" TEXT,
  "Description" TEXT,
  "Format" TEXT,
  "Color" TEXT,
  "TColor1" TEXT,
  "TColor2" TEXT,
  "TColor3" TEXT,
  "TColor4" TEXT,
  "Threshold1" REAL,
  "Threshold2" REAL,
  "Threshold3" REAL,
  "ColorByValue" INTEGER,
  "Is8020" INTEGER,
  "SiteID" TEXT NOT NULL,
  "AncestorType" INTEGER,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Level" INTEGER,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "TreeKey" TEXT,
  "Others" TEXT,
  "Name$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "ParentID") REFERENCES "metric" ("SiteID", "ID")
) STRICT;

CREATE INDEX "metric_by_ParentID" ON "metric" ("SiteID", "ParentID", "TreeKey", "ID");

CREATE INDEX "metric_by_AncestorID" ON "metric" ("SiteID", "AncestorID", "TreeKey", "ID");

CREATE INDEX "metric_by_Name" ON "metric" ("SiteID", "Name$");

CREATE TABLE "metricValue" (
  "ID" TEXT NOT NULL,
  "MetricID" TEXT,
  "Date" TEXT,
  "Value" REAL,
  "ArchiveID" TEXT,
  "SiteID" TEXT NOT NULL,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Date$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "MetricID") REFERENCES "metric" ("SiteID", "ID")
) STRICT;

CREATE INDEX "metricValue_by_MetricID" ON "metricValue" ("SiteID", "MetricID", "Date$" DESC, "ID");

CREATE TABLE "task" (
  "ID" TEXT NOT NULL,
  "AncestorID" TEXT,
  "ParentID" TEXT,
  "Name" TEXT,
  "Description" TEXT,
  "Priority" INTEGER,
  "Rank" INTEGER,
  "Color" TEXT,
  "HoursActual" REAL,
  "HoursProjected" REAL,
  "StartDateActual" TEXT,
  "StartDateProjected" TEXT,
  "EndDateActual" TEXT,
  "EndDateProjected" TEXT,
  "Milestone" INTEGER,
  "TrackingLabel" TEXT,
  "NearHighlightOverride" INTEGER,
  "SiteID" TEXT NOT NULL,
  "Responsible" TEXT,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Others" TEXT,
  "Name$" TEXT,
  "StartDateActual$" TEXT,
  "StartDateProjected$" TEXT,
  "EndDateActual$" TEXT,
  "EndDateProjected$" TEXT,
  PRIMARY KEY ("SiteID", "ID"),
  FOREIGN KEY ("SiteID", "ParentID") REFERENCES "project" ("SiteID", "ID")
) STRICT;

CREATE TABLE "task_Responsible" (
  "SiteID" TEXT NOT NULL,
  "Held" TEXT NOT NULL,
  "ID" TEXT NOT NULL,
  PRIMARY KEY ("SiteID", "Held", "ID")
) STRICT, WITHOUT ROWID;

CREATE INDEX "task_by_AncestorID" ON "task" ("SiteID", "AncestorID", "Rank", "Name$", "ID");

CREATE INDEX "task_by_ParentID" ON "task" ("SiteID", "ParentID", "Rank", "Name$", "ID");

CREATE INDEX "task_in_order" ON "task" ("SiteID", "Rank", "Name$", "ID");

CREATE INDEX "task_by_Name" ON "task" ("SiteID", "Name$");

CREATE INDEX "task_in_roll_up" ON "task" ("SiteID", "AncestorID", "Created", "EndDateActual$", "EndDateActual", "Deleted", "DeletedByRef");

CREATE TABLE "archive" (
  "ID" TEXT NOT NULL,
  "SiteID" TEXT NOT NULL,
  "AncestorType" INTEGER,
  "AncestorID" TEXT,
  "Name" TEXT,
  "AncestorName" TEXT,
  "RowType" INTEGER,
  "ArchiveDate" TEXT,
  "ArchivedBy" TEXT,
  "ArchiveName" TEXT,
  "ArchiveComment" TEXT,
  "ArchiveID" TEXT,
  "ItemID" TEXT,
  "ArchiveDate$" TEXT,
  "ArchiveName$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "archive_by_ArchiveName" ON "archive" ("SiteID", "ArchiveName$");

CREATE INDEX "archive_by_ItemID" ON "archive" ("SiteID", "ItemID");

CREATE INDEX "archive_by_AncestorID" ON "archive" ("SiteID", "AncestorID");

CREATE TABLE "securityGroup" (
  "ID" TEXT NOT NULL,
  "Group" TEXT,
  "Description" TEXT,
  "SiteID" TEXT NOT NULL,
  "Created" TEXT,
  "CreatedBy" TEXT,
  "Updated" TEXT,
  "UpdatedBy" TEXT,
  "Deleted" INTEGER NOT NULL DEFAULT 0,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  "Group$" TEXT,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE INDEX "securityGroup_in_order" ON "securityGroup" ("SiteID", "Group$", "ID");

CREATE TABLE "permission" (
  "ID" TEXT NOT NULL,
  "RowID" TEXT,
  "PrincipalID" TEXT,
  "ChildType" INTEGER,
  "CreateState" INTEGER,
  "ReadState" INTEGER,
  "UpdateState" INTEGER,
  "DeleteState" INTEGER,
  "DelegateState" INTEGER,
  "SiteID" TEXT NOT NULL,
  "DeletedByRef" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("SiteID", "ID")
) STRICT;

CREATE UNIQUE INDEX "permission_identity" ON "permission" ("RowID", "PrincipalID", ifnull("ChildType", ''), "SiteID");

CREATE INDEX "permission_by_RowID" ON "permission" ("SiteID", "RowID", "ID");

CREATE INDEX "permission_by_PrincipalID" ON "permission" ("SiteID", "PrincipalID", "ID");

CREATE TABLE line_name (
  Number INTEGER PRIMARY KEY AUTOINCREMENT,
  Name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE line (
  Sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  Site INTEGER NOT NULL,
  At INTEGER NOT NULL,
  Caller INTEGER NOT NULL,
  Job INTEGER,
  Row INTEGER,
  Resource INTEGER NOT NULL,
  ID TEXT NOT NULL,
  What INTEGER NOT NULL,
  Before TEXT,
  Crc INTEGER
) STRICT;

CREATE INDEX line_by_ID ON line (ID, Site);

CREATE INDEX line_in_order ON line (Site, Sequence, At);

CREATE INDEX line_by_Job ON line (Job, Row) WHERE Job IS NOT NULL;

CREATE TABLE secret (
  SiteID TEXT NOT NULL,
  IndividualID TEXT NOT NULL,
  Hash TEXT NOT NULL,
  PRIMARY KEY (SiteID, IndividualID)
) STRICT, WITHOUT ROWID;

CREATE TABLE counter (
  SiteID TEXT NOT NULL,
  Resource TEXT NOT NULL,
  Last INTEGER NOT NULL,
  PRIMARY KEY (SiteID, Resource)
) STRICT, WITHOUT ROWID;

CREATE TABLE token (
  SiteID TEXT NOT NULL,
  ID TEXT NOT NULL,
  Kind TEXT NOT NULL,
  IndividualID TEXT,
  Hash TEXT NOT NULL,
  Created TEXT NOT NULL,
  LastUsed TEXT,
  Expires TEXT,
  PRIMARY KEY (SiteID, ID)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX token_by_Hash ON token (SiteID, Hash);

CREATE INDEX token_by_IndividualID ON token (SiteID, IndividualID);

CREATE TABLE group_member (
  SiteID TEXT NOT NULL,
  GroupID TEXT NOT NULL,
  IndividualID TEXT NOT NULL,
  PRIMARY KEY (SiteID, GroupID, IndividualID)
) STRICT, WITHOUT ROWID;

CREATE INDEX group_member_by_IndividualID ON group_member (SiteID, IndividualID);

CREATE TABLE job (
  Sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  ID TEXT NOT NULL UNIQUE,
  Kind TEXT NOT NULL,
  State TEXT NOT NULL,
  Profile TEXT NOT NULL,
  SiteID TEXT NOT NULL,
  Caller TEXT NOT NULL,
  Title TEXT NOT NULL,
  Created TEXT NOT NULL,
  Ended TEXT,
  Total INTEGER NOT NULL,
  Counts TEXT NOT NULL,
  Undoes TEXT,
  Settings TEXT NOT NULL,
  LockPid INTEGER,
  LockHost TEXT,
  Crc INTEGER NOT NULL
) STRICT;

CREATE INDEX job_by_Profile ON job (Profile, Sequence);

CREATE INDEX job_by_Undoes ON job (Undoes, Sequence);

CREATE TABLE job_plan (
  JobID TEXT NOT NULL,
  First INTEGER NOT NULL,
  Last INTEGER NOT NULL,
  Rows TEXT NOT NULL,
  Crc INTEGER NOT NULL,
  PRIMARY KEY (JobID, First)
) STRICT;

CREATE TABLE job_state (
  JobID TEXT NOT NULL,
  Bucket INTEGER NOT NULL,
  States TEXT NOT NULL,
  Marks INTEGER NOT NULL,
  Crc INTEGER NOT NULL,
  PRIMARY KEY (JobID, Bucket)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_mark (
  JobID TEXT NOT NULL,
  Bucket INTEGER NOT NULL,
  Sequence INTEGER NOT NULL,
  Marks TEXT NOT NULL,
  Crc INTEGER NOT NULL,
  PRIMARY KEY (JobID, Bucket, Sequence)
) STRICT;

CREATE TABLE commit_witness (
  ID INTEGER PRIMARY KEY CHECK (ID = 1),
  Number INTEGER NOT NULL,
  Token TEXT NOT NULL
) STRICT;

CREATE TABLE schema_version (
  Number INTEGER PRIMARY KEY,
  Sha256 TEXT NOT NULL
) STRICT;

-- text key "Ann": "ann"
-- text key "A-z 09~": "a-z 09~"
-- text key "Ärger": "ärger"
-- text key "STRASSE": "strasse"
-- text key "Straße": "straße"
-- text key "ẞ": "ß"
-- text key "ﬁnn": "finn"
-- text key "Ａｂ１": "ab1"
-- text key "Å": "å"
-- text key "Å": "å"
-- text key "Ⅷ": "viii"
-- text key "②": "2"
-- text key "㎏": "kg"
-- text key "x²": "x2"
-- text key "…": "..."
-- text key "ΟΔΟΣ": "οδος"
-- text key "Σ": "σ"
-- text key "İ": "i̇"
-- text key "I": "i"
-- text key "ı": "ı"
-- text key "Öztürk": "öztürk"
-- text key "ЁЖ": "ёж"
-- text key "각": "각"
-- text key "각": "각"
-- text key "ｶﾞ": "ガ"
-- text key "שׁ": "שׁ"
-- text key " ": " "
-- text key "𝐀": "a"
-- text key "😀": "😀"
-- instant key "2026-02-28": "2026-02-28T00:00:00.0000000"
-- instant key "2026-02-28T09:30:00": "2026-02-28T09:30:00.0000000"
-- instant key "2026-02-28T09:30:00Z": "2026-02-28T09:30:00.0000000"
-- instant key "2026-02-28T09:30:00+00:00": "2026-02-28T09:30:00.0000000"
-- instant key "2026-02-28T23:30:00.125-03:00": "2026-03-01T02:30:00.1250000"
-- instant key "2026-03-01T00:30:00+05:30": "2026-02-28T19:00:00.0000000"
-- instant key "2026-03-01T00:30:00.12345678+14:00": "2026-02-28T10:30:00.1234567"
-- instant key "0000-01-01T00:00:00+01:00": "0000-01-01T00:00:00.0000000"
-- instant key "9999-12-31T23:59:59-01:00": "9999-12-31T23:59:59.9999999"
-- tree key ["",1,"Ärzte","a"]: "80000001ärzte\u0001a\u0002"
-- tree key ["above",null,null,"b"]: "aboveffffffff\u0001b\u0002"
-- tree key ["above",-1,"Ⅷ","c"]: "above7fffffffviii\u0001c\u0002"
