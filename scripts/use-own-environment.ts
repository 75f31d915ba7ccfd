import { ownEnvironment } from './environment.ts';

const own = ownEnvironment(process.env);
for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
Object.assign(process.env, own);
