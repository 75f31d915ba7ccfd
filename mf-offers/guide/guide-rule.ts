import { fileURLToPath } from 'node:url';
import { site } from '@daybook/contract';
import type { RuleSetRule } from '@rspack/core';

/** A guide's Markdown becomes a PDF of the release; `enforce` puts its loader before the one for other Markdown. */
export const guideRule: RuleSetRule = {
  test: /\.md$/,
  include: import.meta.dirname,
  enforce: 'post',
  use: {
    loader: fileURLToPath(import.meta.resolve('./guide-loader.ts')),
    options: { publisher: site.sisterBrand, date: '2025-05-20' },
  },
};
