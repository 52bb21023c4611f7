"""Pieces of Python that the compiler of kernels takes, takes in some places, or refuses."""

from typing import Final

_EXPRESSIONS: Final = """
None  True  ...  'text'  b'bytes'  f'{a}'  1.5  -0.0  1e400  2j  -1  2**64  2**70  -2**63  lambda: a
lambda q: q  [a, b]  {a: b}  {a, b}  [q for q in x]  sum(q for q in x)  {q: q for q in x}  ()  (a,)  (a, b, x)
m  x  x[::2]  x[::0]  x[-1]  x[1:, 0]  x[...]  x[None]  x[()]  x['a']  m[0]  m[9]  m[-1]  m[::2]  m[::0]
m.nothing  x.T  x.sum()  x.view(np.int8)  x.view(5)  x.reshape(3)  a.bit_length()  a.real  (a := b)
a if b else None  a and None  not None  a is None  a is b  a in x  a < 'x'  a @ b  a / b  a // 0  a % 0  a ** -1
a << 64  a << -1  -True  ~True  +a  ~1.5  -None  print(a)  len(a)  len()  len(x, x)  min(a)  min()  max(x)
abs(x)  int('5')  int()  float(a)  bool(x)  divmod(a, 0)  divmod(a)  pow(a, b, 3)  range(3)  range(a)[0]
enumerate(x)  zip(x, x)  sorted(x)  type(a)  np.uint8(a)  np.uint8(300)  np.int8(a, b)  np.float32(a)
np.zeros(3)  np.nothing  np.sum(x)  np.exp(a)  np.floor(1.5)  np.isnan(a)  np.minimum(a, b)  np.array([1])  U64
U64()  U64(a, b)  U64('x')  U64(-1)  Pair(a)  Pair(a, b, a)  Pair(x=a, y=b)  Pair(*x)  Pair(*(a, b))  TABLE[9]
TABLE[-1]  TABLE[1.5]  TABLE['a']  undefined  run0  run0(a, b, x, m, x)  kernel  entry(run0)  f0  f0()  f0(a)
f0(a, b, x, m, m)  f0(x, x, x, x)  popcount(x)  popcount()  popcount(1.5)  popcount(None)  popcount(-1)
popcount(True)  byteswap(a, b)  __name__  (yield)  (yield from x)  await_  a if a else x  a or x
(a, b) < (b, a)  (a, b) == (a, b)  a == None  a != x  (a, b)[a]  (a, 1.5)[a & 1]  (a, x)[b & 1]  (a, b)[x[0]]
((a, b), (b, a))[0][1]  ((a, b) + (1,))[2]  (a,) * 3  [*x]  (*x,)  (*m,)  m._fields  m._replace(rows=x)
slice(1)  x[slice(1)]  x[0][0]  x[0, 0]  x[a, b, a]  isinstance(a, int)  getattr(m, 'rows')  hasattr(m, 'rows')
id(a)  hash(a)  repr(a)  str(a)  chr(a)  ord('a')  any(x)  all(x)  map(len, x)  open('x')  __import__('os')
eval('1')  globals()  vars()  super()  object()
""".split("\n")

_SIMPLE: Final = """
del a  del x[0]  global a  nonlocal a  import os  from os import path  raise ValueError  raise ValueError('x')
assert a  assert a, 'text'  return  return None  return x  return a, b  return m  yield a  break  continue
lambda: a  'text'  ...  a, b = x  a, *b = (1, 2, 3)  [a, b] = a, b  a = b = x  (a, b), c = (b, a), a
a, b, c = a, b  a, a = b, a  m.rows = x  a: int  a: int = b  a += x  x += 1  m += m  a @= b  a //= 0  a <<= 70
undefined += 1  x[0] += 'a'  x[9, 9] = 1  x[:] = x  x[:] = 1.5  x[::2] = 1  x[0] = None  x[0] = (1, 2)
x['a'] = 1  x.shape = 3  m[0] = x  m.bytes[0] = -1  m.bytes[0] = 1e300  m.flags[0] = 5  m.rows[0] = 5
m.rows = 5  m.rows[0, 0, 0] = 1  m.rows[0, :] = 1  x = None  a = None  a = x  a = m  m = a  a = 1.5  a = 'text'
a = b'x'  a = ()  a = f0  f0 = a  np = a  U64 = a  a = TABLE
""".split("\n")

_COMPOUND: Final = """
try:
    a = b
except ValueError:
    pass

try:
    a = b
finally:
    b = a

with x:
    a = b

with open('x') as a:
    pass

def inner():
    return a

def inner(q):
    return q
a = inner(b)

class Inner:
    pass

match a:
    case 0:
        b = 1
    case _:
        b = 2

for a in x:
    pass

for a, b in x:
    pass

for a in 5:
    pass

for a in range(1, 2, 0):
    pass

for a in range(3, 0, b):
    pass

for a in range():
    pass

for a in range(x):
    pass

for x[0] in range(3):
    pass

for m.rows in x:
    pass

for a in ():
    pass

for a in (1, x, None):
    pass

for a in m:
    pass

for a in m.rows:
    pass

for a in zip(x, x):
    pass

for a in enumerate(x, 1):
    pass

for a in 'text':
    b = a

while None:
    pass

while x:
    break

while True:
    break
else:
    a = 1

while a:
    pass

while 0:
    a = undefined

if None:
    a = x

if x:
    a = b

if 'text':
    a = b

if a is None:
    b = x

if not m:
    pass

if undefined:
    pass

if a:
    q = 1
b = q

if a:
    q = 1
else:
    q = x
b = q

if a:
    q = -1
else:
    q = a
b += q

if a:
    return
b = 1

while a:
    a = 1.5

while b:
    a = (a, b)

for q in x:
    a = q

for q in range(3):
    a, b = b, x

while a:
    a = None
"""

EXPRESSIONS: Final = tuple(piece for line in _EXPRESSIONS for piece in line.split("  ") if piece)
STATEMENTS: Final = (
    *(piece for line in _SIMPLE for piece in line.split("  ") if piece),
    *(piece for piece in _COMPOUND.strip("\n").split("\n\n")),
)
