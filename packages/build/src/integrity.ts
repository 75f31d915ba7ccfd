export { integrityOf } from '@daybook/release';
