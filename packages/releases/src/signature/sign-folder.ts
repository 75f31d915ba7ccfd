import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { releaseFileName } from '@daybook/contract/release';
import { signedFileName } from '../origins/origin.ts';
import { readKeyFile } from './key-file.ts';
import { signRelease } from './signature.ts';

// node packages/releases/src/signature/sign-folder.ts <remote> <folder of its release> <private key>: for the images of remotes.
const [remote = '', folder = '', keyFile = ''] = process.argv.slice(2);
const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
writeFileSync(path.join(folder, signedFileName), await signRelease(text, remote, readKeyFile(keyFile)));
