import { createElement, Fragment } from 'react';

/** Mock of a compiled Markdown file: unit tests cover the page around it, browser tests the text. */
export default () => createElement(Fragment);

export const frontmatter = { lastUpdated: '2025-05-20' };
