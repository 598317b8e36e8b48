// Sizes for people.
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** `2.5 MiB`; nothing below 0. */
export function bytes(count: number): string {
  let size = Math.max(0, count);
  if (size < 1024) return `${size} bytes`;
  let unit = -1;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${size.toFixed(1)} ${UNITS[unit]}`;
}
