/** The first wards and cities of nine prefectures, by their codes in the Address Base Registry: code, name, romaji. */
export interface Prefecture {
  code: string;
  slug: string;
  nameJa: string;
  nameEn: string;
  /** Share of all buildings. */
  share: number;
  /** The first corner of its machi-aza, [longitude, latitude]. */
  corner: readonly [number, number];
  wards: string;
}

export const PREFECTURES: readonly Prefecture[] = [
  {
    ...{ code: '13', slug: 'tokyo', nameJa: '東京都', nameEn: 'Tokyo', share: 0.26, corner: [139.3, 35.5] },
    wards: `
      13101 千代田区 Chiyoda-ku, 13102 中央区 Chuo-ku, 13103 港区 Minato-ku, 13104 新宿区 Shinjuku-ku,
      13105 文京区 Bunkyo-ku, 13106 台東区 Taito-ku, 13107 墨田区 Sumida-ku, 13108 江東区 Koto-ku,
      13109 品川区 Shinagawa-ku, 13110 目黒区 Meguro-ku, 13111 大田区 Ota-ku, 13112 世田谷区 Setagaya-ku,
      13113 渋谷区 Shibuya-ku, 13114 中野区 Nakano-ku, 13115 杉並区 Suginami-ku, 13116 豊島区 Toshima-ku,
      13117 北区 Kita-ku, 13118 荒川区 Arakawa-ku, 13119 板橋区 Itabashi-ku, 13120 練馬区 Nerima-ku,
      13121 足立区 Adachi-ku, 13122 葛飾区 Katsushika-ku, 13123 江戸川区 Edogawa-ku, 13201 八王子市 Hachioji-shi,
      13202 立川市 Tachikawa-shi, 13203 武蔵野市 Musashino-shi, 13204 三鷹市 Mitaka-shi, 13205 青梅市 Ome-shi,
      13206 府中市 Fuchu-shi, 13207 昭島市 Akishima-shi, 13208 調布市 Chofu-shi, 13209 町田市 Machida-shi,
      13210 小金井市 Koganei-shi, 13211 小平市 Kodaira-shi, 13212 日野市 Hino-shi, 13213 東村山市 Higashimurayama-shi,
      13214 国分寺市 Kokubunji-shi, 13215 国立市 Kunitachi-shi, 13218 福生市 Fussa-shi, 13219 狛江市 Komae-shi,
      13220 東大和市 Higashiyamato-shi, 13221 清瀬市 Kiyose-shi, 13222 東久留米市 Higashikurume-shi,
      13223 武蔵村山市 Musashimurayama-shi, 13224 多摩市 Tama-shi, 13225 稲城市 Inagi-shi, 13227 羽村市 Hamura-shi,
      13228 あきる野市 Akiruno-shi, 13229 西東京市 Nishitokyo-shi`,
  },
  {
    ...{ code: '27', slug: 'osaka', nameJa: '大阪府', nameEn: 'Osaka', share: 0.15, corner: [135.3, 34.4] },
    wards: `
      27102 大阪市都島区 Osaka-shi-Miyakojima-ku, 27103 大阪市福島区 Osaka-shi-Fukushima-ku,
      27104 大阪市此花区 Osaka-shi-Konohana-ku, 27106 大阪市西区 Osaka-shi-Nishi-ku,
      27107 大阪市港区 Osaka-shi-Minato-ku, 27108 大阪市大正区 Osaka-shi-Taisho-ku,
      27109 大阪市天王寺区 Osaka-shi-Tennoji-ku, 27111 大阪市浪速区 Osaka-shi-Naniwa-ku,
      27113 大阪市西淀川区 Osaka-shi-Nishiyodogawa-ku, 27114 大阪市東淀川区 Osaka-shi-Higashiyodogawa-ku,
      27115 大阪市東成区 Osaka-shi-Higashinari-ku, 27116 大阪市生野区 Osaka-shi-Ikuno-ku,
      27117 大阪市旭区 Osaka-shi-Asahi-ku, 27118 大阪市城東区 Osaka-shi-Joto-ku,
      27119 大阪市阿倍野区 Osaka-shi-Abeno-ku, 27120 大阪市住吉区 Osaka-shi-Sumiyoshi-ku,
      27121 大阪市東住吉区 Osaka-shi-Higashisumiyoshi-ku, 27122 大阪市西成区 Osaka-shi-Nishinari-ku,
      27123 大阪市淀川区 Osaka-shi-Yodogawa-ku, 27124 大阪市鶴見区 Osaka-shi-Tsurumi-ku,
      27125 大阪市住之江区 Osaka-shi-Suminoe-ku, 27126 大阪市平野区 Osaka-shi-Hirano-ku,
      27127 大阪市北区 Osaka-shi-Kita-ku, 27128 大阪市中央区 Osaka-shi-Chuo-ku, 27141 堺市堺区 Sakai-shi-Sakai-ku,
      27142 堺市中区 Sakai-shi-Naka-ku, 27143 堺市東区 Sakai-shi-Higashi-ku, 27144 堺市西区 Sakai-shi-Nishi-ku,
      27145 堺市南区 Sakai-shi-Minami-ku, 27146 堺市北区 Sakai-shi-Kita-ku, 27147 堺市美原区 Sakai-shi-Mihara-ku,
      27202 岸和田市 Kishiwada-shi, 27203 豊中市 Toyonaka-shi, 27204 池田市 Ikeda-shi, 27205 吹田市 Suita-shi,
      27206 泉大津市 Izumiotsu-shi, 27207 高槻市 Takatsuki-shi, 27208 貝塚市 Kaizuka-shi, 27209 守口市 Moriguchi-shi,
      27210 枚方市 Hirakata-shi, 27211 茨木市 Ibaraki-shi, 27212 八尾市 Yao-shi, 27213 泉佐野市 Izumisano-shi,
      27214 富田林市 Tondabayashi-shi, 27215 寝屋川市 Neyagawa-shi, 27216 河内長野市 Kawachinagano-shi,
      27217 松原市 Matsubara-shi, 27218 大東市 Daito-shi, 27219 和泉市 Izumi-shi, 27220 箕面市 Mino-shi,
      27221 柏原市 Kashiwara-shi, 27222 羽曳野市 Habikino-shi, 27223 門真市 Kadoma-shi, 27224 摂津市 Settsu-shi,
      27225 高石市 Takaishi-shi, 27226 藤井寺市 Fujiidera-shi, 27227 東大阪市 Higashiosaka-shi,
      27228 泉南市 Sennan-shi, 27229 四條畷市 Shijonawate-shi, 27230 交野市 Katano-shi,
      27231 大阪狭山市 Osakasayama-shi, 27232 阪南市 Hannan-shi`,
  },
  {
    ...{ code: '14', slug: 'kanagawa', nameJa: '神奈川県', nameEn: 'Kanagawa', share: 0.13, corner: [139.1, 35.2] },
    wards: `
      14101 横浜市鶴見区 Yokohama-shi-Tsurumi-ku, 14102 横浜市神奈川区 Yokohama-shi-Kanagawa-ku,
      14103 横浜市西区 Yokohama-shi-Nishi-ku, 14104 横浜市中区 Yokohama-shi-Naka-ku,
      14105 横浜市南区 Yokohama-shi-Minami-ku, 14106 横浜市保土ケ谷区 Yokohama-shi-Hodogaya-ku,
      14107 横浜市磯子区 Yokohama-shi-Isogo-ku, 14108 横浜市金沢区 Yokohama-shi-Kanazawa-ku,
      14109 横浜市港北区 Yokohama-shi-Kohoku-ku, 14110 横浜市戸塚区 Yokohama-shi-Totsuka-ku,
      14111 横浜市港南区 Yokohama-shi-Konan-ku, 14112 横浜市旭区 Yokohama-shi-Asahi-ku,
      14113 横浜市緑区 Yokohama-shi-Midori-ku, 14114 横浜市瀬谷区 Yokohama-shi-Seya-ku,
      14115 横浜市栄区 Yokohama-shi-Sakae-ku, 14116 横浜市泉区 Yokohama-shi-Izumi-ku,
      14117 横浜市青葉区 Yokohama-shi-Aoba-ku, 14118 横浜市都筑区 Yokohama-shi-Tsuzuki-ku,
      14131 川崎市川崎区 Kawasaki-shi-Kawasaki-ku, 14132 川崎市幸区 Kawasaki-shi-Saiwai-ku,
      14133 川崎市中原区 Kawasaki-shi-Nakahara-ku, 14134 川崎市高津区 Kawasaki-shi-Takatsu-ku,
      14135 川崎市多摩区 Kawasaki-shi-Tama-ku, 14136 川崎市宮前区 Kawasaki-shi-Miyamae-ku,
      14137 川崎市麻生区 Kawasaki-shi-Asao-ku, 14151 相模原市緑区 Sagamihara-shi-Midori-ku,
      14152 相模原市中央区 Sagamihara-shi-Chuo-ku, 14153 相模原市南区 Sagamihara-shi-Minami-ku,
      14201 横須賀市 Yokosuka-shi, 14203 平塚市 Hiratsuka-shi, 14204 鎌倉市 Kamakura-shi, 14205 藤沢市 Fujisawa-shi,
      14206 小田原市 Odawara-shi, 14207 茅ヶ崎市 Chigasaki-shi, 14208 逗子市 Zushi-shi, 14210 三浦市 Miura-shi`,
  },
  {
    ...{ code: '23', slug: 'aichi', nameJa: '愛知県', nameEn: 'Aichi', share: 0.12, corner: [136.8, 34.8] },
    wards: `
      23101 名古屋市千種区 Nagoya-shi-Chikusa-ku, 23102 名古屋市東区 Nagoya-shi-Higashi-ku,
      23103 名古屋市北区 Nagoya-shi-Kita-ku, 23104 名古屋市西区 Nagoya-shi-Nishi-ku,
      23105 名古屋市中村区 Nagoya-shi-Nakamura-ku, 23106 名古屋市中区 Nagoya-shi-Naka-ku,
      23107 名古屋市昭和区 Nagoya-shi-Showa-ku, 23108 名古屋市瑞穂区 Nagoya-shi-Mizuho-ku,
      23109 名古屋市熱田区 Nagoya-shi-Atsuta-ku, 23110 名古屋市中川区 Nagoya-shi-Nakagawa-ku,
      23111 名古屋市港区 Nagoya-shi-Minato-ku, 23112 名古屋市南区 Nagoya-shi-Minami-ku,
      23113 名古屋市守山区 Nagoya-shi-Moriyama-ku, 23114 名古屋市緑区 Nagoya-shi-Midori-ku,
      23115 名古屋市名東区 Nagoya-shi-Meito-ku, 23116 名古屋市天白区 Nagoya-shi-Tempaku-ku,
      23201 豊橋市 Toyohashi-shi, 23202 岡崎市 Okazaki-shi, 23203 一宮市 Ichinomiya-shi, 23204 瀬戸市 Seto-shi,
      23205 半田市 Handa-shi, 23206 春日井市 Kasugai-shi, 23207 豊川市 Toyokawa-shi, 23208 津島市 Tsushima-shi,
      23209 碧南市 Hekinan-shi, 23210 刈谷市 Kariya-shi, 23211 豊田市 Toyota-shi, 23212 安城市 Anjo-shi,
      23213 西尾市 Nishio-shi, 23214 蒲郡市 Gamagori-shi, 23215 犬山市 Inuyama-shi, 23216 常滑市 Tokoname-shi`,
  },
  {
    ...{ code: '28', slug: 'hyogo', nameJa: '兵庫県', nameEn: 'Hyogo', share: 0.09, corner: [134.6, 34.6] },
    wards: `
      28101 神戸市東灘区 Kobe-shi-Higashinada-ku, 28102 神戸市灘区 Kobe-shi-Nada-ku,
      28105 神戸市兵庫区 Kobe-shi-Hyogo-ku, 28106 神戸市長田区 Kobe-shi-Nagata-ku,
      28107 神戸市須磨区 Kobe-shi-Suma-ku, 28108 神戸市垂水区 Kobe-shi-Tarumi-ku, 28109 神戸市北区 Kobe-shi-Kita-ku,
      28110 神戸市中央区 Kobe-shi-Chuo-ku, 28111 神戸市西区 Kobe-shi-Nishi-ku, 28201 姫路市 Himeji-shi,
      28202 尼崎市 Amagasaki-shi, 28203 明石市 Akashi-shi, 28204 西宮市 Nishinomiya-shi, 28205 洲本市 Sumoto-shi,
      28206 芦屋市 Ashiya-shi, 28207 伊丹市 Itami-shi, 28208 相生市 Aioi-shi, 28209 豊岡市 Toyoka-shi,
      28210 加古川市 Kakogawa-shi, 28212 赤穂市 Ako-shi, 28213 西脇市 Nishiwaki-shi, 28214 宝塚市 Takarazuka-shi,
      28215 三木市 Miki-shi, 28216 高砂市 Takasago-shi`,
  },
  {
    ...{ code: '01', slug: 'hokkaido', nameJa: '北海道', nameEn: 'Hokkaido', share: 0.08, corner: [141.2, 42.9] },
    wards: `
      01101 札幌市中央区 Sapporo-shi-Chuo-ku, 01102 札幌市北区 Sapporo-shi-Kita-ku,
      01103 札幌市東区 Sapporo-shi-Higashi-ku, 01104 札幌市白石区 Sapporo-shi-Shiroishi-ku,
      01105 札幌市豊平区 Sapporo-shi-Toyohira-ku, 01106 札幌市南区 Sapporo-shi-Minami-ku,
      01107 札幌市西区 Sapporo-shi-Nishi-ku, 01108 札幌市厚別区 Sapporo-shi-Atsubetsu-ku,
      01109 札幌市手稲区 Sapporo-shi-Teine-ku, 01110 札幌市清田区 Sapporo-shi-Kiyota-ku, 01202 函館市 Hakodate-shi,
      01203 小樽市 Otaru-shi, 01204 旭川市 Asahikawa-shi, 01205 室蘭市 Muroran-shi, 01206 釧路市 Kushiro-shi,
      01207 帯広市 Obihiro-shi, 01208 北見市 Kitami-shi, 01209 夕張市 Yubari-shi, 01210 岩見沢市 Iwamizawa-shi,
      01211 網走市 Abashiri-shi, 01212 留萌市 Rumoi-shi, 01213 苫小牧市 Tomakomai-shi, 01214 稚内市 Wakkanai-shi,
      01215 美唄市 Bibai-shi`,
  },
  {
    ...{ code: '40', slug: 'fukuoka', nameJa: '福岡県', nameEn: 'Fukuoka', share: 0.08, corner: [130.3, 33.4] },
    wards: `
      40101 北九州市門司区 Kitakyushu-shi-Moji-ku, 40103 北九州市若松区 Kitakyushu-shi-Wakamatsu-ku,
      40105 北九州市戸畑区 Kitakyushu-shi-Tobata-ku, 40106 北九州市小倉北区 Kitakyushu-shi-Kokurakita-ku,
      40107 北九州市小倉南区 Kitakyushu-shi-Kokuraminami-ku, 40108 北九州市八幡東区 Kitakyushu-shi-Yahatahigashi-ku,
      40109 北九州市八幡西区 Kitakyushu-shi-Yahatanishi-ku, 40131 福岡市東区 Fukuoka-shi-Higashi-ku,
      40132 福岡市博多区 Fukuoka-shi-Hakata-ku, 40133 福岡市中央区 Fukuoka-shi-Chuo-ku,
      40134 福岡市南区 Fukuoka-shi-Minami-ku, 40135 福岡市西区 Fukuoka-shi-Nishi-ku,
      40136 福岡市城南区 Fukuoka-shi-Jonan-ku, 40137 福岡市早良区 Fukuoka-shi-Sawara-ku, 40202 大牟田市 Omuta-shi,
      40203 久留米市 Kurume-shi, 40204 直方市 Nogata-shi, 40205 飯塚市 Iizuka-shi, 40206 田川市 Tagawa-shi,
      40207 柳川市 Yanagawa-shi, 40210 八女市 Yame-shi, 40211 筑後市 Chikugo-shi, 40212 大川市 Okawa-shi,
      40213 行橋市 Yukuhashi-shi`,
  },
  {
    ...{ code: '26', slug: 'kyoto', nameJa: '京都府', nameEn: 'Kyoto', share: 0.06, corner: [135.5, 34.9] },
    wards: `
      26101 京都市北区 Kyoto-shi-Kita-ku, 26102 京都市上京区 Kyoto-shi-Kamigyo-ku,
      26103 京都市左京区 Kyoto-shi-Sakyo-ku, 26104 京都市中京区 Kyoto-shi-Nakagyo-ku,
      26105 京都市東山区 Kyoto-shi-Higashiyama-ku, 26106 京都市下京区 Kyoto-shi-Shimogyo-ku,
      26107 京都市南区 Kyoto-shi-Minami-ku, 26108 京都市右京区 Kyoto-shi-Ukyo-ku,
      26109 京都市伏見区 Kyoto-shi-Fushimi-ku, 26110 京都市山科区 Kyoto-shi-Yamashina-ku,
      26111 京都市西京区 Kyoto-shi-Nishikyo-ku, 26201 福知山市 Fukuchiyama-shi, 26202 舞鶴市 Maizuru-shi,
      26203 綾部市 Ayabe-shi, 26204 宇治市 Uji-shi, 26205 宮津市 Miyazu-shi, 26206 亀岡市 Kameoka-shi,
      26207 城陽市 Joyo-shi`,
  },
  {
    ...{ code: '04', slug: 'miyagi', nameJa: '宮城県', nameEn: 'Miyagi', share: 0.03, corner: [140.7, 38.1] },
    wards: `
      04101 仙台市青葉区 Sendai-shi-Aoba-ku, 04102 仙台市宮城野区 Sendai-shi-Miyagino-ku,
      04103 仙台市若林区 Sendai-shi-Wakabayashi-ku, 04104 仙台市太白区 Sendai-shi-Taihaku-ku,
      04105 仙台市泉区 Sendai-shi-Izumi-ku, 04202 石巻市 Ishinomaki-shi, 04203 塩竈市 Shiogama-shi,
      04205 気仙沼市 Kesennuma-shi, 04206 白石市 Shiroishi-shi, 04207 名取市 Natori-shi, 04208 角田市 Kakuda-shi,
      04209 多賀城市 Tagajo-shi`,
  },
];
