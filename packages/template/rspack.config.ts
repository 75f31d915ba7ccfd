import { remote } from '@daybook/build';
import definition from './src/remote.ts';

export default remote({ folder: import.meta.dirname, definition });
