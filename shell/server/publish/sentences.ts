import type { State } from '@daybook/contract/release';

const heldSentence = 'New releases are stored and not activated until it is lifted.';

export function visitorsSentence({ remote, active, canary, percent }: State): string {
  const all = active ?? 'nothing';
  return canary
    ? `${remote}: ${percent} % of visitors get ${canary}, all others ${all}.`
    : `${remote}: all visitors get ${all}.`;
}

/** Says what a change did; `waiting` are versions that were stored during a hold. */
export function changeSentences(
  before: State | undefined,
  after: State,
  waiting: readonly string[] = [],
): readonly string[] {
  const { remote, action, active, heldBy } = after;
  const stays = heldBy ? [`${remote} stays held by ${heldBy}. ${heldSentence}`] : [];
  switch (action) {
    case 'rollback':
      return [
        `${remote}: ${before?.active} is rolled back; all visitors get ${active}.`,
        `${before?.active} becomes active again only by activate.`,
        ...(before?.canary ? [`The canary of ${before.canary} has ended, too.`] : []),
        ...stays,
      ];
    case 'end':
      return [`${remote}: the canary of ${before?.canary} has ended; all visitors get ${active}.`];
    case 'hold':
      return [`${remote} is held. ${heldSentence}`, visitorsSentence(after)];
    case 'lift':
      return [
        `${remote} is no longer held.`,
        visitorsSentence(after),
        ...waiting.map(
          (version) => `Stored meanwhile: ${version}. To give it to visitors: activate ${remote}@${version}`,
        ),
      ];
    case 'canary':
      return [visitorsSentence(after), ...stays];
    default: {
      const isChange = active !== before?.active && !after.canary;
      const sentence = isChange
        ? `${remote}: all visitors get ${active} instead of ${before?.active ?? 'nothing'}.`
        : visitorsSentence(after);
      return [sentence, ...stays];
    }
  }
}
