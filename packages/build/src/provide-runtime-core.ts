import * as runtimeCore from '@module-federation/runtime/core';

// Remotes are built without the federation runtime's core and look for it under this name. The plugin's own
// `provideExternalRuntime` would bring a second, CommonJS copy of it, of which nothing can be shaken out.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });
