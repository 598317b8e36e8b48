// In the place of the package string-width: what packages draw stands in columns that are measured by one measure.
module.exports = require('../src/text/columns.ts').widthOf;
