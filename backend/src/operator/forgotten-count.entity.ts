import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many addresses were forgotten in a month: nobody can tell from it whether an address was among them. */
@Entity()
export class ForgottenCount {
  /** Its first day. */
  @PrimaryColumn('date')
  readonly month!: string;

  @PrimaryColumn('text')
  readonly status!: 'completed' | 'unfinished' | 'never signed up';

  @Column('integer')
  readonly count!: number;
}
