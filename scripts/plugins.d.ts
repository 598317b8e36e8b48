// What the tests take of the bundle's plugins.
import type { Plugin } from 'vitest/config';

export const packagesAsBuilt: Plugin;
