// What pm plan show says of a plan above its changes: one text, in the form that is asked for.
import { plainMarkdown, sanitise } from '../../text/escape.ts';
import { type Context, formatOf } from '../context.ts';
import { escaped, PAGE_END, pageOpening } from '../dashboards/html.ts';
import { printText } from '../output/printing.ts';

type Form = Readonly<Record<'title' | 'heading' | 'line', (text: string) => string>>;

const TEXT: Form = {
  title: (text) => `${sanitise(text)}\n`,
  heading: (text) => `\n${text}:\n`,
  line: (text) => `  ${sanitise(text)}\n`,
};

const FORMS: Readonly<Record<string, Form>> = {
  table: TEXT,
  md: {
    title: (text) => `# ${plainMarkdown(sanitise(text))}\n\n`,
    heading: (text) => `\n## ${text}\n\n`,
    line: (text) => `- ${plainMarkdown(sanitise(text))}\n`,
  },
  html: {
    title: (text) => `${pageOpening(escaped(text))}</header>\n<main>\n`,
    heading: (text) => `<div class="unit"><h2>${text}</h2></div>\n`,
    line: (text) => `<p>${escaped(text)}</p>\n`,
  },
};

/**
 * Prints lines by their heading, those of Summary below the title, and then what `changes` prints in the context that it is
 * handed. For programs the lines are the beginning of one object, or stand on stderr beside the rows.
 */
export async function printLook(
  context: Context,
  title: string,
  lines: Readonly<Record<string, readonly string[]>>,
  changes: (context: Context) => Promise<void>,
): Promise<void> {
  const format = context.settings.jmespath === undefined ? formatOf(context) : 'json';
  const form = FORMS[format];
  const textIn = (one: Form): string =>
    Object.entries(lines)
      .filter(([, some]) => some.length > 0)
      .map(([name, some]) => (name === 'Summary' ? one.title(title) : one.heading(name)) + some.map(one.line).join(''))
      .join('');
  if (form) printText(context.io, textIn(form));
  else if (format !== 'json' && format !== 'yaml')
    for (const line of textIn(TEXT).split(/\n+/).slice(0, -1)) context.note(line);
  await changes({
    ...context,
    note: () => undefined,
    print(printed) {
      if (form) printText(context.io, form.heading(printed.shape.type.replace('PlannedChange', 'Changes')));
      return context.print({ ...printed, head: { Title: title, ...lines } });
    },
  });
  if (format === 'html') printText(context.io, PAGE_END);
}
