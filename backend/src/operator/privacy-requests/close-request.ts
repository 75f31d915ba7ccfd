import { referenceNumberSchema } from '@daybook/contract';
import { PrivacyRequestRepository } from '../../privacy-requests/index.ts';
import { type Command, print } from '../command-line/command.ts';
import { OperatorError, UsageError } from '../command-line/errors.ts';

export const closeRequest: Command = {
  name: 'privacy-requests done',
  summary: 'notes that a privacy request was answered',
  words: ['<reference>'],
  options: {},
  help: ['The reference is such as K7QM-3XTA-9VD2. Noted twice, the first time counts.'],
  run: async (given, workplace) => {
    const reference = (given.words[0] ?? '').toUpperCase();
    if (!referenceNumberSchema.safeParse(reference).success)
      throw new UsageError(`“${given.words[0]}” is no reference number, such as K7QM-3XTA-9VD2.`);
    const requests = new PrivacyRequestRepository(await workplace.connect());
    if (!(await requests.markDone(reference)))
      throw new OperatorError(`There is no privacy request ${reference}; operator privacy-requests list shows them.`);
    print(workplace, [`Privacy request ${reference} is done.`]);
  },
};
