import { type Compilation, type Configuration, rspack } from '@rspack/core';

/** Builds without writing files; `read` takes what is needed. @throws Error with the errors of the build */
export function buildInMemory<Result>(
  configuration: Configuration,
  read: (compilation: Compilation) => Result,
): Promise<Result> {
  const compiler = rspack(configuration);
  let result: Result | undefined;
  compiler.hooks.shouldEmit.tap('BuildInMemory', (compilation) => {
    result = read(compilation);
    return false;
  });
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close(() => {
        if (error || !stats) reject(error);
        else if (stats.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true })));
        else resolve(result as Result);
      });
    });
  });
}

export const textOf = (compilation: Compilation, name: string): string =>
  String(compilation.getAsset(name)?.source.source() ?? '');
