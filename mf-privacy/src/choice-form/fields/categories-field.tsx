import type { SensitiveCategory } from '@daybook/contract';
import { CheckboxGroup, checkboxIdOf } from '@daybook/ui';
import { type FieldControlProperties, fieldOf } from './field.tsx';

/** Wording of section 5 of the product document. */
export const missingCategoryMessage = 'Please select at least one category of sensitive information';

interface CategoryCopy {
  readonly label: string;
  readonly description: string;
}

/** Labels of section 3 of the product document, in its order; the descriptions are ours. */
export const categoryCopy: Readonly<Record<SensitiveCategory, CategoryCopy>> = {
  financial: { label: 'Financial Information', description: 'Such as income, debts, or access to an account' },
  health: { label: 'Health Information', description: 'Such as a condition, a treatment, or hearing loss' },
  location: { label: 'Precise Location Data', description: 'Where you are, to within a few streets' },
  demographic: { label: 'Demographic Information', description: 'Such as age, ethnic origin, or religious beliefs' },
  biometric: { label: 'Biometric Information', description: 'Such as a fingerprint, a face, or a voice' },
  browsing: { label: 'Browsing History', description: 'Which pages, links and offers you open' },
};

const copy = { legend: 'Information to limit', hint: 'Select one or more.' } as const;

const options = Object.entries(categoryCopy).map(([value, category]) => ({ value, ...category }));

const id = 'categories';

const firstCategory: SensitiveCategory = 'financial';

/** The kinds of sensitive information to limit, at least one. */
export const categoriesField = fieldOf<readonly string[]>({
  name: 'categoriesToLimit',
  focusId: checkboxIdOf(id, firstCategory),
  initialAnswer: [],
  problemWith: (answer) =>
    answer.length === 0 ? { message: missingCategoryMessage, shownAs: 'text and alert' } : undefined,
  Control: CategoriesControl,
});

function CategoriesControl({ answer, problem, onAnswer }: FieldControlProperties<readonly string[]>) {
  return (
    <CheckboxGroup
      id={id}
      name="categoriesToLimit"
      legend={copy.legend}
      hint={copy.hint}
      options={options}
      values={answer}
      onChange={onAnswer}
      error={problem}
    />
  );
}
