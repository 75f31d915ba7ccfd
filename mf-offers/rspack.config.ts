import { remote } from '@daybook/build';
import { guideRule } from './guide/guide-rule.ts';
import definition from './src/remote.ts';

export default remote({ folder: import.meta.dirname, definition, rules: [guideRule] });
