import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildErrorsFileName } from '@daybook/release';
import type { RspackPluginInstance } from '@rspack/core';

/** Writes the errors of each compilation of a watching build to a file, from which the shell server shows them in pages. */
export const buildErrorsFile: RspackPluginInstance = {
  apply(compiler) {
    compiler.hooks.done.tap('BuildErrorsFile', (stats) => {
      const file = path.join(compiler.outputPath, buildErrorsFileName);
      if (!stats.hasErrors()) rmSync(file, { force: true });
      else if (compiler.watchMode) writeFileSync(file, stats.toString({ all: false, errors: true, colors: false }));
    });
  },
};
