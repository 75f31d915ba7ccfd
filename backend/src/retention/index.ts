export { RetentionModule } from './retention.module.ts';
