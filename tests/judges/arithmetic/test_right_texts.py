"""Right texts in words and LaTeX, in which nothing may be called wrong."""

from __future__ import annotations

import pytest

from banglahallueval.judges.arithmetic import check_chain, judge_item
from banglahallueval.tasks import Item

IN_WORDS = """
৫ জন মিলে ২০টি আম পেল, প্রত্যেকে ৪টি।
প্রতি খাতা ২০ টাকা, ৩টি খাতা কিনলে লাগে ৬০ টাকা। ১০০ টাকা থেকে ৬০ টাকা বাদ দিলে থাকে ৪০ টাকা।
ঘণ্টায় ৬০ কিলোমিটার, মানে মিনিটে ১ কিলোমিটার।
৬০ কিমি মানে ১ ঘণ্টার পথ।
৭২ কিমি/ঘণ্টা মানে ২০ মিটার/সেকেন্ড।
বাহাত্তর কিলোমিটার মানে সেকেন্ডে বিশ মিটার।
দুই ডজন মানে চব্বিশটি কলা।
তিন হালি ডিম, মানে বারোটি।
রহিমের বয়স করিমের তিন গুণ, করিমের বয়স ১২ হলে রহিমের ৩৬।
১২ এর তিন গুণ ৩৬, তা থেকে ৬ বাদ দিলে ৩০।
দুই আর তিন মিলে পাঁচ, পাঁচ দুগুণে দশ।
পাঁচ টাকা আর দশ টাকার নোট মিলে ৮টি।
৩টি খাতা ও ২টি কলম মিলে ১০০ টাকা।
৮০ টাকা থেকে ২০% বাদ দিলে ৬৪ টাকা।
৪০০ থেকে ১০ শতাংশ বাদ গেলে থাকে ৩৬০।
১ লিটার মানে ১০০০ মিলিলিটার।
২ কেজি ৫০০ গ্রাম মানে আড়াই কেজি।
দেড় ঘণ্টা মানে নব্বই মিনিট।
সাড়ে তিন কেজিকে দুই দিয়ে গুণ করলে সাত কেজি।
পৌনে দুই ঘণ্টা মানে ১০৫ মিনিট।
পৌনে দুই লিটার মানে ১৭৫০ মিলিলিটার।
সোয়া এক ঘণ্টা মানে ৭৫ মিনিট।
১২ কে ৫ দিয়ে ভাগ করলে ভাগফল ২ আর ভাগশেষ ২।
১৭ কে ৫ দিয়ে ভাগ করলে ৩, বাকি থাকে ২।
১০০ কে ৩ দিয়ে ভাগ করলে প্রায় ৩৩।
১০০ কে ৩ দিয়ে ভাগ করলে ৩৩.৩৩।
২৪ কে ১.৫ দিয়ে গুণ করলে হয় ৩৬।
৫ জনকে ৩টি করে দিলে লাগে ১৫টি।
৩০ জন থেকে ১২ জন বাদ দিলে ১৮ জন থাকে, তাদের অর্ধেক ৯ জন।
৫০ টাকা থেকে ৩টি ৮ টাকার কলমের দাম বাদ দিলে ২৬ টাকা থাকে।
৬ কে ২ দিয়ে ভাগ করে ৩ দিয়ে গুণ করলে ৯।
৪ কে ৩ দিয়ে গুণ করে ২ যোগ করলে ১৪।
৪ এর সাথে ৩ গুণ করে ১২, তার সাথে ৫ যোগ করলে ১৭।
১৬ থেকে ৪ বাদ দিয়ে ২ দিয়ে ভাগ করলে ৬।
৯ আর ৭ যোগ করে ২ দিয়ে ভাগ করলে ৮।
১২ আর ৮ যোগ করলে ২০, গড় ১০।
৪ ও ৬ এর লসাগু ১২।
মোট ৫টি লাল ও ৩টি নীল, মোট ৮টি।
২ টাকা, ৫ টাকা ও ১০ টাকার নোট মোট ১২টি।
৪ জন ছেলে ও ৬ জন মেয়ে মোট ১০ জন।
বাবা আর ছেলের বয়স মিলে ৫০, বাবার ৪০।
২০ জন শিক্ষার্থী ও ২ জন শিক্ষক মিলে ২২টি টিকিট, খরচ ৪৪০ টাকা।
৩ দিনে ২ জন মিলে ৬টি ঘর রং করে।
৫০০ টাকার ৩ ভাগের ১ ভাগ মানে ১৬৬.৬৭ টাকা।
সে ৯০ টাকা নিয়ে বাজারে গেল, ৪০ টাকা খরচ করে ফিরল, রইল ৫০ টাকা।
মোট ১০০ টাকা। মাছে গেল ৪০, সবজিতে ২০, রইল ৪০।
১০০ টাকা ছিল, ভাড়ায় গেল ৩০ টাকা, খাবারে গেল ২০ টাকা, রইল ৫০ টাকা।
Five plus three is eight, and eight times two is sixteen.
If 20 is divided by 4, each gets 5.
3 times 4 makes 12, minus 2 makes 10.
two times 5 is 10 plus 3 is 13
5 ke 2 diye gun korle 10, ar 3 jog korle 13 hoy
20 theke 5 bad dile 15 thake, tar ordhek 7.5
ek dojon mane 12 ti
dui ghonta mane 120 minute
""".strip().split("\n")
IN_LATEX = r"""
\(v = \frac{d}{t} = \frac{120}{2} = 60\) km/h
\(E = \frac{1}{2} m v^2 = \frac{1}{2} \times 2 \times 3^2 = 9\) J
\(x_1 = 3 + 2 = 5\), \(x_2 = 3 - 2 = 1\)
\(72\,\text{km/h} = 72 \times \frac{1000}{3600} = 20\,\text{m/s}\)
\(72\text{ km/h} = 20\text{ m/s}\)
\(c = 3 \times 10^8\), \(f = \frac{3 \times 10^8}{600 \times 10^{-9}} = 5 \times 10^{14}\) Hz
\(20\% \times 500 = 100\)
\(500 \times 20\% = 100\), \(500 - 100 = 400\)
\(A = \pi r^2 = 3.14 \times 5^2 = 78.5\) cm²
\(A = \pi \times 5^2 = 78.54\)
\(\sqrt{16} = 4\), \(\sqrt{3^2 + 4^2} = \sqrt{25} = 5\)
\(5! = 120\), \(\binom{5}{2} = 10\)
\(2x + 3 = 11 \Rightarrow 2x = 8 \Rightarrow x = 4\)
\(x = \frac{-5 \pm \sqrt{25 - 24}}{2} = -2\)
\(1 - \frac{1}{3} = \frac{2}{3}\), \(\frac{2}{3} \times 18 = 12\)
\(\left(\frac{3}{4}\right)^2 = \frac{9}{16}\)
\(\frac{3}{4} \div \frac{1}{2} = \frac{3}{2} = 1\frac{1}{2}\)
\(0.\overline{3} = \frac{1}{3}\)
\(P(A) = \frac{3}{8} = 0.375 = 37.5\%\)
\(12{,}500 \times 4 = 50{,}000\)
\(3 : 5 = 12 : 20\)
\(12 \text{ ডজন} = 144\) টি
\(1.5\ \text{h} = 90\ \text{min}\)
\(90^\circ - 35^\circ = 55^\circ\)
\(2.5 \times 4 = 10 \text{ L} = 10000 \text{ mL}\)
\(\text{লাভ} = 120 - 100 = 20\), \(\frac{20}{100} \times 100\% = 20\%\)
\(\log_{10} 100 = 2\)
\(n = \frac{12}{0.5} = 24\)
\(S = \frac{n(n+1)}{2} = \frac{10 \times 11}{2} = 55\)
\(a = \frac{v - u}{t} = \frac{20 - 5}{3} = 5\)
\(\frac{1}{R} = \frac{1}{6} + \frac{1}{12} = \frac{3}{12}\), \(R = 4\)
\(\frac{1}{R} = \frac{1}{6} + \frac{1}{12} = \frac{1}{4} \Rightarrow R = 4\ \Omega\)
\(\frac{6 \times 12}{6 + 12} = 4\ \Omega\)
\(100 \times 1.1^2 = 121\)
\(100(1 + 0.1)^2 = 121\)
\(5^2 + 12^2 = 169 = 13^2\)
\(7 \bmod 3 = 1\)
\(1000 \text{ g} = 1 \text{ kg}\)
\[ \begin{aligned} 3x &= 12 \\ x &= 4 \end{aligned} \]
\(200\text{ mL} \div 30\text{ mL} \approx 6.67\)
\(36 \text{ km/h} = 36 \times 5/18 = 10\) m/s
\(t = 0.5 h = 0.5 × 60 = 30\) মিনিট
\(12 \times 15\% = 1.8\)
\(25 = 5 \times 5\), \(\frac{75}{100} = \frac{3}{4}\)
\(2^3 \cdot 3 = 24\); ল.সা.গু. = 24
\(5000 \times (1 - 0.2) \times (1 - 0.1) = 3600\)
\(10^{-3} \times 5000 = 5\)
\(\Delta T = 80 - 25 = 55\ ^\circ\text{C}\)
\(Q = mc\Delta T = 0.5 \times 4200 \times 55 = 115500\) J
\(115500 \text{ J} = 115.5 \text{ kJ}\)
\(4 \text{ m} 50 \text{ cm} = 4.5 \text{ m}\)
\(2 \text{ h } 30 \text{ min} = 150 \text{ min}\)
\(1 \text{ m}^3 = 1000 \text{ L}\)
\(8 \text{ kWh} \times 10 = 80\) টাকা
\(60\% = 0.6\)
\(15 \text{ মিনিট} = \frac{15}{60} = \frac{1}{4}\) ঘণ্টা
""".strip().split("\n")


@pytest.mark.parametrize("chain", [*IN_WORDS, *IN_LATEX])
def test_right_texts_are_not_called_wrong(chain: str) -> None:
    """Remainders, rates, compound units, several operations in a row: none of it is a fault."""
    assert judge_item(Item("reasoning", "মোট কত?", "", chain)).label != "yes"


def test_products_of_two_units_are_not_proven() -> None:
    """Lengths in metres and centimetres may be multiplied in either."""
    chain = r"\(3 \text{ m} \times 200 \text{ cm} = 6 \text{ m}^2\)"
    assert check_chain(chain).first_proven is None


def test_an_hour_is_exact_in_minutes() -> None:
    """The first of two units is no rounded result."""
    assert check_chain("১ ঘণ্টা = ৫০ মিনিট").first_proven is not None
    assert check_chain("১৫০ সেমি = ২ মিটার").faults == ()
