export { checkFragment, FragmentError, fragmentLimits } from './fragment.ts';
