// What the build derives from the program and writes beside it: scripts/build.js.
export { makeTable } from './completion/make-table.ts';
export { makePages } from './usage/make-pages.ts';
