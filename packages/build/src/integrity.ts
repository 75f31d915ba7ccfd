// For what may not depend on the release package: end-to-end tests and the benchmark.
export { integrityOf } from '@daybook/release';
