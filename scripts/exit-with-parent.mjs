process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone shall not keep a finished program alive.
process.channel?.unref();
