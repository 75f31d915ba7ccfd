/** Mock of a compiled Markdown file: unit tests cover the page around it, browser tests the text. */
export default () => null;
export const headings = [];
