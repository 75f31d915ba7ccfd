import path from 'node:path';

/** The parts of a Markdown file's tree that are read here. */
interface Markdown {
  readonly children: readonly { readonly type: string; readonly value?: string }[];
}

/** A line of the front matter with the date of a text. */
const dateLine = /^\s*(['"]?)lastUpdated\1\s*:\s*(.*?)\s*(?:#.*)?$/;

/** Returns whether a text is a day of the calendar such as 2025-05-20; some engines read February 30 as March 1. */
function isDay(text: string): boolean {
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text;
}

/**
 * A plugin of remark: checks the date at the beginning of a Markdown file, `lastUpdated`, if there is one. In the build,
 * which knows the file and line; a page that shows the date knows neither.
 *
 * @param root folder of the repository
 * @throws Error that names file and line, and says what a date looks like
 */
export const checkDate = (root: string) => (tree: Markdown, file: { readonly path: string }) => {
  const [first] = tree.children;
  if (first?.type !== 'yaml') return;
  for (const [index, line] of (first.value ?? '').split('\n').entries()) {
    const found = dateLine.exec(line)?.[2];
    if (found === undefined) continue;
    const date = found.replace(/^(['"])(.*)\1$/, '$2');
    if (isDay(date)) continue;
    // Line 1 is the `---` above the front matter.
    const place = `${path.relative(root, file.path)}:${index + 2}`;
    const message = `${place}: “${date}” is no date. Write year, month and day: lastUpdated: 2025-05-20`;
    // Without a stack, which Rspack would print: the mistake is in the text.
    throw Object.assign(new Error(message), { stack: message });
  }
};
