import { remote } from '@daybook/build';

export default remote({ folder: import.meta.dirname });
