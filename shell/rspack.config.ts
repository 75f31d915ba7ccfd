import { shell } from '@daybook/build';

export default shell(import.meta.dirname);
