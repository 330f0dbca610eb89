import betainc from '@stdlib/math-base-special-betainc';
import digamma from '@stdlib/math-base-special-digamma';
import erfcinv from '@stdlib/math-base-special-erfcinv';
import gammainc from '@stdlib/math-base-special-gammainc';
import gammaincinv from '@stdlib/math-base-special-gammaincinv';
import gammaln from '@stdlib/math-base-special-gammaln';
import binomialQuantile from '@stdlib/stats-base-dists-binomial-quantile';
import chisquareQuantile from '@stdlib/stats-base-dists-chisquare-quantile';
import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import normalLogcdf from '@stdlib/stats-base-dists-normal-logcdf';
import tCdf from '@stdlib/stats-base-dists-t-cdf';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';

/** The functions of `@stdlib` that this package uses, in one module that `libraries` loads at the first use of one. */
export const stdlib = {
  betainc,
  digamma,
  erfcinv,
  gammainc,
  gammaincinv,
  gammaln,
  binomialQuantile,
  chisquareQuantile,
  normalCdf,
  normalLogcdf,
  tCdf,
  tQuantile,
};
