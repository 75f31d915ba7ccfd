import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';
import '@testing-library/jest-dom/jest-globals';

// The default of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

afterEach(cleanup);
