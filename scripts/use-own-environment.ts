import { ownEnvironment } from './environment.ts';

// The first import of main.ts: other modules may read variables when they are loaded, and every child inherits them.

const own = ownEnvironment(process.env);
for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
Object.assign(process.env, own);
