export { registerDocumentation } from './documentation.ts';
export { Handles } from './handles.decorator.ts';
export { HttpModule } from './http.module.ts';
export { fastifyOptions, prepareServer } from './server.ts';
