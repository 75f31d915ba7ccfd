import { remote } from '@daybook/build';
import definition from './src/remote.ts';

export default remote(import.meta.dirname, definition);
