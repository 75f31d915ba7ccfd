/** Returns SQL that formats a time as in events: ISO 8601, UTC, with ms. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
