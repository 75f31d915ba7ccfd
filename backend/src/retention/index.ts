export { retentionModule } from './retention.module.ts';
