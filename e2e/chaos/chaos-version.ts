/** The nth version of a remote that a run makes. */
export const chaosVersion = (number: number) => `9.0.${number}-${number.toString(16).padStart(8, '0')}`;
