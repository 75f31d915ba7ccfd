export { networkOf } from './client-network.ts';
