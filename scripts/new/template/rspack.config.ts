import { remote } from '@daybook/build';

export default remote(import.meta.dirname);
