// Schemas of zod for parts that are loaded late as a whole; checked.ts loads less of it, when it first checks a file.
export { z } from 'zod';
