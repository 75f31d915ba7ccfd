/** Jest, below node_modules. */
export const jestProgram = 'jest/bin/jest.js';

/** Jest runs ES modules as they are. */
export const jestEnvironment = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings=ExperimentalWarning`.trim(),
};

/**
 * What every run of Jest is given. A failed test may leave a server behind; the run shall end and tell, not wait
 * for it.
 *
 * @param results the file that the results are written to
 */
export const jestParameters = (results: string) => ['--json', `--outputFile=${results}`, '--forceExit'];
