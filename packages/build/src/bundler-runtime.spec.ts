import { expect, test } from '@jest/globals';
import runtime from './bundler-runtime.ts';

const { consumes, initContainerEntry } = runtime.bundlerRuntime;

const react = { version: '19' };

/** A chunk of a remote that uses React; `load` loads it, and resolves with what its module gets. */
function chunkOf(shareScope: Parameters<typeof initContainerEntry>[0]['shareScope']) {
  const webpackRequire: Parameters<typeof consumes>[0]['webpackRequire'] = { m: {}, c: {}, S: {} };
  initContainerEntry({ shareScope, shareScopeKey: 'default', webpackRequire });
  const installedModules = {};
  const moduleToHandlerMapping = { '7': { shareKey: 'react', shareInfo: { scope: ['default'] } } };
  return {
    async load(chunkId = '1') {
      const promises: Promise<void>[] = [];
      const chunkMapping = { '1': ['7'] };
      consumes({ chunkId, promises, chunkMapping, moduleToHandlerMapping, installedModules, webpackRequire });
      await Promise.all(promises);
      const module = { exports: undefined as unknown };
      webpackRequire.m['7']?.(module);
      return module.exports;
    },
  };
}

test('a chunk gets the modules that it uses from the shell, once, and again after a failure', async () => {
  const failures = [new Error('Loading chunk 12 failed.')];
  let times = 0;
  const get = async () => {
    times += 1;
    const failure = failures.pop();
    if (failure) throw failure;
    return () => react;
  };
  const { load } = chunkOf({ react: { '1.0.0': { get } } });
  expect(await load('2')).toBeUndefined();
  await expect(load()).rejects.toThrow('Loading chunk 12 failed.');
  for (let time = 0; time < 2; time += 1) expect(await load()).toBe(react);
  expect(times).toBe(2);
});

test('a chunk fails that uses what the shell does not provide', async () => {
  await expect(chunkOf({}).load()).rejects.toThrow('The shell provides no module react.');
});
