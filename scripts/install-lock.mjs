// Keeps two commands from installing at once. Like the bootstrap, it depends on nothing.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Between two looks at a lock that somebody else holds, in ms. */
const lookInterval = 200;

/** Between two words about waiting for it, in ms. */
const wordInterval = 15_000;

/** A lock without a process id, this many ms old, was left by a process that died while it wrote it. */
const writingLimit = 5_000;

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, as another user.
    return error.code === 'EPERM';
  }
}

/** Who holds a lock: a process id, 0 while it is being written; nothing where nobody holds it any longer. */
function holderOf(lock) {
  try {
    const { mtimeMs } = statSync(lock);
    const pid = Number(readFileSync(lock, 'utf8'));
    const age = Date.now() - mtimeMs;
    if (!pid) return age < writingLimit ? 0 : undefined;
    // Since the machine was started anew, the id may be another process's.
    return isRunning(pid) && age < uptime() * 1000 ? pid : undefined;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a lock that nobody holds. By a name of this process's own first: of several that try, one succeeds. */
function removeStale(lock) {
  const own = `${lock}.${process.pid}`;
  try {
    renameSync(lock, own);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return;
  }
  // Another process was here first and holds the new lock: it gets it back.
  if (holderOf(own) === undefined) rmSync(own, { force: true });
  else renameSync(own, lock);
}

/**
 * Takes a lock file, waiting for as long as another process that runs holds it. It is given back when this process
 * ends, and counts for nothing where the process was killed.
 *
 * @param {string} lock the file
 * @param {(pid: number) => void} onWait is called at once where there is somebody to wait for, and now and then while waiting
 * @returns {Promise<() => void>} gives the lock back
 */
export async function takeInstallLock(lock, onWait) {
  mkdirSync(path.dirname(lock), { recursive: true });
  let nextWord = 0;
  while (!take(lock)) {
    const holder = holderOf(lock);
    if (holder === undefined) {
      removeStale(lock);
      continue;
    }
    if (holder && Date.now() >= nextWord) {
      onWait(holder);
      nextWord = Date.now() + wordInterval;
    }
    await delay(lookInterval);
  }
  const giveBack = () => rmSync(lock, { force: true });
  process.once('exit', giveBack);
  return () => {
    process.off('exit', giveBack);
    giveBack();
  };
}
