import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildErrorsFileName } from '@daybook/release';
import type { RspackPluginInstance } from '@rspack/core';

/** Reports each compilation of a watching build: in the terminal, and its errors in a file for the shell server. */
export const watchReports: RspackPluginInstance = {
  apply(compiler) {
    compiler.hooks.done.tap('WatchReports', (stats) => {
      if (!compiler.watchMode) return;
      const file = path.join(compiler.outputPath, buildErrorsFileName);
      if (stats.hasErrors()) writeFileSync(file, stats.toString({ all: false, errors: true, colors: false }));
      else {
        rmSync(file, { force: true });
        console.log(`built in ${((Number(stats.endTime) - Number(stats.startTime)) / 1000).toFixed(1)} s`);
      }
    });
  },
};
