// A test fails by what it sees, never by how long a busy machine took: the limits are for what hangs.
import { defineConfig } from 'vitest/config';

const MINUTES = 60_000;
const isLong = process.env.PM_TEST_LONG !== undefined;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: (isLong ? 30 : 5) * MINUTES,
    hookTimeout: 5 * MINUTES,
    teardownTimeout: MINUTES,
  },
});
