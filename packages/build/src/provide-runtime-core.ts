import * as runtimeCore from '@module-federation/runtime/core';

// Remotes are built without the federation runtime's core and expect it under this name. Not the plugin's own
// `provideExternalRuntime`: it would add a second, CommonJS copy that cannot be tree-shaken.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });
