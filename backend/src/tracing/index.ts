export { registerTracing } from './register-tracing.ts';
