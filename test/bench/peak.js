// Loaded in front of a measured program: as it ends, writes the most memory it held (in KiB) to the file that PM_BENCH_PEAK names.
import { writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(String(process.env.PM_BENCH_PEAK), String(process.resourceUsage().maxRSS)));
