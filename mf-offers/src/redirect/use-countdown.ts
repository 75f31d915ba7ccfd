import { useEffect, useEffectEvent, useState } from 'react';

/** How often, in ms, the time that has passed is brought up to date for the eye. */
const refreshInterval = 100;

/**
 * Counts `duration` ms down while `running`, from the start each time, and calls `onEnd` once at the end.
 *
 * @returns how much has passed, in ms
 */
export function useCountdown(duration: number, running: boolean, onEnd: () => void): number {
  const [passed, setPassed] = useState(0);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    if (!running) return;
    const start = Date.now();
    setPassed(0);
    const refreshing = setInterval(() => setPassed(Math.min(Date.now() - start, duration)), refreshInterval);
    const ending = setTimeout(() => {
      clearInterval(refreshing);
      setPassed(duration);
      end();
    }, duration);
    return () => {
      clearInterval(refreshing);
      clearTimeout(ending);
    };
  }, [duration, running]);

  return passed;
}
