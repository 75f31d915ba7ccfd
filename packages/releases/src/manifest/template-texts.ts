/** Texts of `packages/template`, which `npm run new-page` and `new-remote` write and each page must replace by its own. */
export const templateTexts = [
  'write here in a sentence what readers find on this page',
  'The purpose of this page in one or two sentences.',
  'Its text, in paragraphs, lists and tables.',
] as const;

/** Returns why a description or a page can't be released; `undefined` if it has none of the template's texts. */
export function templateProblem(text: string): string | undefined {
  const found = templateTexts.find((each) => text.includes(each));
  return found && `it still says “${found}”, as the template does; write its own text`;
}
