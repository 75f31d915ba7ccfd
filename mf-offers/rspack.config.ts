import path from 'node:path';
import { remote } from '@daybook/build';
import { site } from '@daybook/contract/site';

const folder = path.join(import.meta.dirname, 'guide');

/** Compiles a guide's Markdown to a PDF in the release; `enforce` runs its loader before the one for other Markdown. */
const guideRule = {
  test: /\.md$/,
  include: folder,
  enforce: 'post' as const,
  use: {
    loader: path.join(folder, 'guide-loader.ts'),
    options: { publisher: site.sisterBrand, date: '2025-05-20' },
  },
};

export default remote({ folder: import.meta.dirname, rules: [guideRule] });
