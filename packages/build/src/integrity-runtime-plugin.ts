import { integrityLookupName, refusedIntegrity } from '@daybook/contract';
import type { Compiler, RspackPluginInstance } from '@rspack/core';

/** Sets an element's integrity to what the shell says that it must be, and to a value that nothing has where the shell says nothing. */
const withIntegrity = (element: string, address: string) => `
${element}.integrity = globalThis.${integrityLookupName}?.(${address}) || ${JSON.stringify(refusedIntegrity)};
${element}.crossOrigin = "anonymous";
`;

/**
 * Makes a remote load its chunks and styles with the integrity values of its release. The federation runtime's own
 * hook sees the entry alone; everything after it is loaded by the bundler's runtime, which this plugin changes.
 */
export class IntegrityRuntimePlugin implements RspackPluginInstance {
  apply(compiler: Compiler): void {
    const { RuntimePlugin } = compiler.rspack;
    compiler.hooks.compilation.tap('IntegrityRuntimePlugin', (compilation) => {
      const hooks = RuntimePlugin.getCompilationHooks(compilation);
      hooks.createScript.tap('IntegrityRuntimePlugin', (code) => code + withIntegrity('script', 'script.src'));
      hooks.createLink.tap('IntegrityRuntimePlugin', (code) => code + withIntegrity('link', 'link.href'));
      for (const ahead of [hooks.linkPreload, hooks.linkPrefetch])
        ahead.tap('IntegrityRuntimePlugin', (code) => code + withIntegrity('link', 'link.href'));
    });
  }
}
