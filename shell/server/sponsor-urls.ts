import { siteSettingsSchema } from '@daybook/contract/server';
import { type OfferId, offerIds } from '@daybook/contract/site';
import * as z from 'zod';

const offerSchema = z.enum(offerIds, {
  error: ({ input }) => `has “${input}”, which is none of ${offerIds.join(', ')}`,
});
const pairSchema = z.tuple([offerSchema, siteSettingsSchema.shape.housingGuideAddress]);

/** URLs may contain commas, hence the spaces. */
export const sponsorUrls = z
  .string()
  .transform((text, context): Partial<Record<OfferId, string>> => {
    const items = text.split(/\s+/).filter((item) => item !== '');
    const pairs = items.map((item) => {
      const [id = '', ...rest] = item.split('=');
      return [id, rest.join('=')];
    });
    const { data = [], error } = z.array(pairSchema).safeParse(pairs);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue(path[1] === 0 ? message : `has an address of ${pairs[Number(path[0])]?.[0]} that ${message}`);
    const ids = data.map(([id]) => id);
    for (const id of ids.filter((each, index) => ids.indexOf(each) < index)) context.addIssue(`names ${id} twice`);
    return Object.fromEntries(data);
  })
  .optional()
  .meta({
    description: `where each bonus offer leads, separated by spaces: \`${offerIds[0]}=https://… ${offerIds[1]}=https://…\`; one that is not named keeps its default`,
  });
