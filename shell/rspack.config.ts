import { shell } from '@daybook/build';

export default shell({
  folder: import.meta.dirname,
  entry: './src/main.tsx',
  prerenderEntry: './src/prerender/prerender-shell.tsx',
});
