// What a terminal shows in the end: the lines that are left after all that moves the cursor, clears and draws anew.

interface Cursor {
  row: number;
  column: number;
}

const SEQUENCE = /\u001b(?:\[([?\d;]*)([A-Za-z])|([78]))|\r|\n|[^\u001b\r\n]/gu;

/** The lines of a terminal that is high enough for all of them, without colors and without blanks at their ends. */
export function screenOf(written: string, columns = 80): readonly string[] {
  const lines: string[][] = [[]];
  let at: Cursor = { row: 0, column: 0 };
  let saved = at;
  const line = (): string[] => {
    while (lines.length <= at.row) lines.push([]);
    return lines[at.row] as string[];
  };
  for (const [sign, numbers = '', command, kept] of written.matchAll(SEQUENCE)) {
    if (kept === '7') saved = { ...at };
    else if (kept === '8') at = { ...saved };
    else if (command !== undefined) move(at, line(), command, numbers, lines);
    else if (sign === '\r') at.column = 0;
    else if (sign === '\n') at.row++;
    else {
      if (at.column >= columns) at = { row: at.row + 1, column: 0 };
      const now = line();
      while (now.length < at.column) now.push(' ');
      now[at.column++] = sign;
    }
  }
  return lines.map((one) => one.join('').trimEnd());
}

/** Obeys one control sequence; colors and modes move nothing. */
function move(at: Cursor, line: string[], command: string, numbers: string, lines: string[][]): void {
  const number = Number(numbers) || 1;
  if (command === 'A') at.row = Math.max(0, at.row - number);
  if (command === 'B') at.row += number;
  if (command === 'C') at.column += number;
  if (command === 'D') at.column = Math.max(0, at.column - number);
  if (command === 'G') at.column = number - 1;
  if (command === 'J') lines.length = at.row + 1;
  if (command === 'J' || (command === 'K' && (numbers === '' || numbers === '0')))
    line.length = Math.min(line.length, at.column);
  if (command === 'K' && numbers === '2') line.length = 0;
  if (command === 'K' && numbers === '1') line.fill(' ', 0, at.column);
}
