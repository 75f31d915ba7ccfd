import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Number of addresses forgotten in a month: anonymous, because it does not reveal which ones. */
@Entity()
export class ForgottenCount {
  /** First day of the month. */
  @PrimaryColumn('date')
  readonly month!: string;

  @PrimaryColumn('text')
  readonly status!: 'completed' | 'unfinished' | 'never signed up';

  @Column('integer')
  readonly count!: number;
}
